/// When a clock speaks, and how it says the time.
public struct ClockSettings: Equatable, Sendable {
  public enum Style: String, CaseIterable, Sendable {
    case speech
    /// One to eight strokes by the half-hours of a watch at sea, without words.
    case bells
  }

  public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
  }

  /// The two ways in which German names quarters: "Viertel nach drei", or "viertel vier" for the same time.
  public enum Quarters: String, CaseIterable, Sendable {
    case past
    case to
  }

  /// The strokes before the words at the full hour.
  public enum Strokes: String, CaseIterable, Sendable {
    case none
    case one
    /// As many as the hour, one to twelve.
    case hours
  }

  public var style: Style = .speech
  /// Minutes from one announcement to the next, counted from the full hour; one of `ClockSettings.intervals`.
  /// Ship's bells have half-hours, whatever this is.
  public var every = 15
  public var language: Language = .english
  /// False: twelve hours, with AM and PM in English.
  public var isTwentyFourHours = false
  public var quarters: Quarters = .past
  public var strokes: Strokes = .one
  /// "three o'clock PM" at the full hour, in English with twelve hours.
  public var saysOClock = false
  public var quiet: QuietHours?

  public init() {}

  /// The numbers of minutes that divide an hour.
  public static let intervals = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60]

  /// Minutes from one announcement to the next, of either style.
  var step: Int { style == .bells ? 30 : every }
}

/// A part of each day in which the clock keeps still. It may go over midnight.
public struct QuietHours: Equatable, Sendable {
  /// The first minute of the day that is quiet, 0 to 1439.
  public var from: Int
  /// The minute of the day at which the clock speaks again, 0 to 1439. The same as `from`: the whole day is quiet.
  public var to: Int

  public init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

  /// - Parameter minute: of the day, 0 to 1439.
  public func contains(_ minute: Int) -> Bool {
    from < to ? minute >= from && minute < to : minute >= from || minute < to
  }
}
