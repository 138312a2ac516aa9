public import SpeakingClock

/// Something that can say parts of announcements.
public protocol Voice: Sendable {
  var name: String { get }
  /// The parts that it says it has. One of them may still turn out to be broken.
  var parts: Set<Part> { get }
  /// The silence between two parts, in seconds.
  var gap: Double { get }
  /// A part as it was recorded or made, neither trimmed nor levelled.
  func clip(_ part: Part) throws(VoiceError) -> Clip
}

extension Voice {
  public var gap: Double { 0 }
}

extension Part {
  /// True for a stroke of a bell, which every clock has: it is made by the program if the voice has none.
  public var isStroke: Bool {
    switch self {
    case .word(.bigben), .word(.bell), .word(.bells): true
    default: false
    }
  }
}

extension ClockSettings {
  /// The parts without which a clock cannot speak as these settings say. Strokes never miss.
  public func missingParts(in parts: Set<Part>) -> Set<Part> {
    neededParts.filter { !$0.isStroke }.subtracting(parts)
  }

  /// The intervals, in minutes, at which a voice with these parts can say everything that is due, spoken as these
  /// settings say.
  public func intervals(saidWith parts: Set<Part>) -> [Int] {
    Self.intervals.filter { minutes in
      var settings = self
      settings.every = minutes
      return settings.missingParts(in: parts).isEmpty
    }
  }
}
