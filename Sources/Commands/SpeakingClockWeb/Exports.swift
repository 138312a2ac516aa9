#if arch(wasm32)
  import CivilTime
  import SpeakingClock

  // The rules of the talking clock for speaking-rules.js of its page. Numbers only: parts by their codes, instants as
  // seconds since 1970. The settings and the parts that were found last stay until the next call.

  /// Seconds east of UTC at an instant, by the browser's own tables of zones.
  @_extern(wasm, module: "env", name: "zone_offset")
  private func zoneOffset(_ instant: Double) -> Int32

  private nonisolated(unsafe) var settings = ClockSettings()
  private nonisolated(unsafe) var found: [Part] = []

  /// - Parameters:
  ///   - style: 0 speech, 1 ship's bells. `language`: 0 English, 1 German. `quarters`: 0 past, 1 to.
  ///   - strokes: 0 none, 1 one, 2 as many as the hour.
  ///   - quietFrom: a minute of the day, or -1 without quiet hours.
  /// - Returns: 1, or 0 for what is not accepted; then nothing is changed.
  @_expose(wasm, "configure") @_cdecl("configure")
  public func exportedConfigure(
    _ style: Int32, _ every: Int32, _ language: Int32, _ hours: Int32, _ quarters: Int32, _ strokes: Int32,
    _ saysOClock: Int32, _ quietFrom: Int32, _ quietTo: Int32
  ) -> Int32 {
    let minutes = -1...Int32(1439)
    guard ClockSettings.intervals.contains(Int(every)), hours == 12 || hours == 24, (0...1).contains(style),
      (0...1).contains(language), (0...1).contains(quarters), (0...2).contains(strokes), minutes.contains(quietFrom),
      minutes.contains(quietTo), (quietFrom < 0) == (quietTo < 0)
    else { return 0 }
    settings.style = style == 0 ? .speech : .bells
    settings.every = Int(every)
    settings.language = language == 0 ? .english : .german
    settings.isTwentyFourHours = hours == 24
    settings.quarters = quarters == 0 ? .past : .to
    settings.strokes = strokes == 0 ? .none : strokes == 1 ? .one : .hours
    settings.saysOClock = saysOClock != 0
    settings.quiet = quietFrom < 0 ? nil : QuietHours(from: Int(quietFrom), to: Int(quietTo))
    return 1
  }

  /// The instant of the first announcement after another one, and its parts; -1 if there is none within two days.
  @_expose(wasm, "next") @_cdecl("next")
  public func exportedNext(_ after: Double) -> Double {
    guard let next = settings.next(after: EpochSeconds(after), offset: { Int(zoneOffset(Double($0))) }) else {
      found = []
      return -1
    }
    found = next.parts
    return Double(next.at)
  }

  /// Finds the parts that are said at a minute of the day; returns their number.
  @_expose(wasm, "say") @_cdecl("say")
  public func exportedSay(_ minute: Int32) -> Int32 {
    found = settings.parts(at: Int(minute))
    return Int32(found.count)
  }

  @_expose(wasm, "part_count") @_cdecl("part_count")
  public func exportedPartCount() -> Int32 { Int32(found.count) }

  /// The code of one of the parts that were found.
  @_expose(wasm, "part") @_cdecl("part")
  public func exportedPart(_ index: Int32) -> Int32 { Int32(found[Int(index)].code) }

  /// The number of ship's bells at a minute of the day, and the watch, from 0, the middle watch.
  @_expose(wasm, "bell_count") @_cdecl("bell_count")
  public func exportedBellCount(_ minute: Int32) -> Int32 { Int32(shipsBellCount(at: Int(minute))) }

  @_expose(wasm, "watch") @_cdecl("watch")
  public func exportedWatch(_ minute: Int32) -> Int32 { Int32(Watch(at: Int(minute)).rawValue) }
#else
  // As in PortableWeb: this lets a plain `swift build` build the product.
  @main struct Native { static func main() {} }
#endif
