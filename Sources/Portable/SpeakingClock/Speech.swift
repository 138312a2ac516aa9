extension ClockSettings {
  /// The parts that are announced at a time of day, in their order.
  /// - Parameter minute: of the day, 0 to 1439.
  public func parts(at minute: Int) -> [Part] {
    if style == .bells { return shipsBells(at: minute) }
    let (hour, minute) = (minute / 60, minute % 60)
    return (minute == 0 ? strokes(at: hour) : []) + words(hour, minute)
  }

  /// All parts that these settings ever need.
  public var neededParts: Set<Part> {
    Set(stride(from: 0, to: 1440, by: step).flatMap { parts(at: $0) })
  }

  private func strokes(at hour: Int) -> [Part] {
    switch strokes {
    case .none: []
    case .one: .words(.bigben)
    case .hours: Array(repeating: .word(.bigben), count: onDial(hour))
    }
  }

  private func words(_ hour: Int, _ minute: Int) -> [Part] {
    switch (language, isTwentyFourHours) {
    case (.english, false): english(hour, minute)
    case (.english, true): englishOf24(hour, minute)
    case (.german, false): german(hour, minute)
    case (.german, true): germanWritten(hour, minute)
    }
  }

  /// The hour as a dial has it, 1 to 12. There is no zero o'clock; 24 is the hour after 23.
  private func onDial(_ hour: Int) -> Int { (hour + 11) % 12 + 1 }

  // MARK: English

  private func english(_ hour: Int, _ minute: Int) -> [Part] {
    var parts: [Part] = [.number(onDial(hour))]
    if minute > 0 { parts.append(englishMinute(minute)) } else if saysOClock { parts.append(.word(.oclock)) }
    return parts + .words(hour < 12 ? .am : .pm)
  }

  private func englishOf24(_ hour: Int, _ minute: Int) -> [Part] {
    [.number(hour), minute == 0 ? .word(.hundred) : englishMinute(minute)]
  }

  private func englishMinute(_ minute: Int) -> Part { minute < 10 ? .oh(minute) : .number(minute) }

  // MARK: German

  /// The way one says it: whole fives by the hour or the half-hour that is near, other minutes as they are written.
  private func german(_ hour: Int, _ minute: Int) -> [Part] {
    let this: Part = .number(onDial(hour))
    let next: Part = .number(onDial(hour + 1))
    switch minute {
    case 15: return quarters == .past ? .words(.viertel, .nach) + [this] : .words(.viertel) + [next]
    case 45: return quarters == .past ? .words(.viertel, .vor) + [next] : .words(.dreiviertel) + [next]
    case 30: return .words(.halb) + [next]
    case 5, 10, 20: return [.number(minute)] + .words(.nach) + [this]
    case 25: return [.number(5)] + .words(.vor, .halb) + [next]
    case 35: return [.number(5)] + .words(.nach, .halb) + [next]
    case 40, 50, 55: return [.number(60 - minute)] + .words(.vor) + [next]
    default: return germanWritten(onDial(hour), minute)
    }
  }

  private func germanWritten(_ hour: Int, _ minute: Int) -> [Part] {
    [hour == 1 ? .word(.ein) : .number(hour), .word(.uhr)] + (minute == 0 ? [] : [.number(minute)])
  }
}
