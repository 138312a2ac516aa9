import Glibc
public import SpeakingClock

/// A look at all parts of a voice pack: which are broken or badly recorded, and what it can say.
public struct VoiceReport: Sendable {
  public enum Remark: String, Sendable {
    case clipped
    case tooQuiet = "too-quiet"
    /// A file without a header, of which the kind was guessed.
    case headerless

    public var words: String {
      switch self {
      case .clipped: "clipped: the microphone was too loud"
      case .tooQuiet: "too quiet: its noise will be heard"
      case .headerless: "a file without a header, read as 8 kHz µ-law"
      }
    }
  }

  public struct Row: Sendable {
    public var part: Part
    /// As recorded.
    public var seconds = 0.0
    /// The loudness of its audible part, in dB of the greatest possible.
    public var loudness: Double?
    public var peak: Double?
    public var remarks: [Remark] = []
    /// Why it cannot be used.
    public var error: VoiceError?
  }

  /// A way to say the time, such as with 24 hours.
  public struct Way: Sendable {
    public var settings: ClockSettings
    /// The minutes between two announcements at which it can be spoken.
    public var intervals: [Int]
    /// The parts that are missing for the longest other interval.
    public var missing: (interval: Int, parts: [Part])?
  }

  public let pack: VoicePack
  public let rows: [Row]
  public let ways: [Way]

  public init(_ pack: VoicePack) {
    self.pack = pack
    rows = pack.parts.sorted { $0.code < $1.code }.map { Self.row($0, pack) }
    let usable = Set(rows.filter { $0.error == nil }.map(\.part))
    ways = Self.ways(of: pack.manifest.language).map { settings in
      let intervals = settings.intervals(saidWith: usable)
      let other = ClockSettings.intervals.last { !intervals.contains($0) }.map { interval in
        var settings = settings
        settings.every = interval
        return (interval: interval, parts: settings.missingParts(in: usable).sorted { $0.code < $1.code })
      }
      return Way(settings: settings, intervals: intervals, missing: other)
    }
  }

  /// True if every part can be used and is well recorded, and the time can be said in one way at least.
  public var isGood: Bool {
    rows.allSatisfy { $0.error == nil && $0.remarks.allSatisfy { $0 == .headerless } }
      && ways.contains { !$0.intervals.isEmpty }
  }

  private static func row(_ part: Part, _ pack: VoicePack) -> Row {
    var row = Row(part: part)
    do throws(VoiceError) {
      let sounds = try pack.sounds(part)
      let clip = try pack.joined(sounds, part)
      row.seconds = clip.seconds
      let heard: Preparation.Heard
      do throws(VoiceError) {
        heard = try Preparation.heard(clip, part)
      } catch {
        throw error.of(part, in: pack.manifest.parts[part]?.first)
      }
      row.loudness = decibels(heard.loudness)
      row.peak = decibels(heard.peak)
      if sounds.contains(where: { isClipped($0.clip) }) { row.remarks.append(.clipped) }
      if decibels(heard.loudness) < SoundLimits.quiet { row.remarks.append(.tooQuiet) }
      if sounds.contains(where: { $0.container == nil }) { row.remarks.append(.headerless) }
    } catch {
      row.error = error
    }
    return row
  }

  private static func decibels(_ level: Float) -> Double { 20 * log10(Double(max(level, 1e-6))) }

  private static func isClipped(_ clip: Clip) -> Bool {
    var run = 0
    for sample in clip.samples {
      run = abs(sample) >= 0.9995 ? run + 1 : 0
      if run >= SoundLimits.clippedRun { return true }
    }
    return false
  }

  /// The ways of a language; one without strokes stands for those with them, which need no more of a voice.
  private static func ways(of language: ClockSettings.Language) -> [ClockSettings] {
    var usual = ClockSettings()
    (usual.language, usual.strokes) = (language, .none)
    var (second, whole) = (usual, usual)
    if language == .english { second.saysOClock = true } else { second.quarters = .to }
    whole.isTwentyFourHours = true
    return [usual, second, whole]
  }
}
