import Glibc
public import SpeakingClock

/// The strokes of Big Ben and of a ship's bell, made from the partial tones of bells: each is a sine that fades away by
/// itself, the high ones fast. They are struck softly, since they are heard at night.
public struct Strokes: Voice {
  public let name = "Bells"
  public var parts: Set<Part> { [.word(.bigben), .word(.bell), .word(.bells)] }

  public init() {}

  public func clip(_ part: Part) throws(VoiceError) -> Clip {
    switch part {
    case .word(.bigben): Self.struck(Self.bigBen, pitch: 329.6, seconds: 3.2)
    case .word(.bell): Self.struck(Self.shipsBell, pitch: 1_108, seconds: 1.7)
    case .word(.bells): Self.pair(Self.struck(Self.shipsBell, pitch: 1_108, seconds: 1.7), apart: 0.48)
    default: throw VoiceError(.missing, part: part, seen: "bells do not say it")
    }
  }

  static let rate = 44_100

  /// A tone of a bell, by its frequency in pitches of the bell.
  struct Partial {
    var frequency: Double
    var loudness: Double
    /// Seconds in which it fades to a thousandth.
    var fading: Double
  }

  /// The hum an octave below, the strike tone, the minor third that makes a bell sound like one, and what is above.
  /// Some stand in pairs that differ a little, as in a bell that is not quite round: they beat slowly.
  static let bigBen = [
    Partial(frequency: 0.5, loudness: 0.55, fading: 9), Partial(frequency: 0.5013, loudness: 0.2, fading: 9),
    Partial(frequency: 1, loudness: 0.8, fading: 5), Partial(frequency: 1.2, loudness: 0.65, fading: 4.5),
    Partial(frequency: 1.2026, loudness: 0.3, fading: 4.5), Partial(frequency: 1.5, loudness: 0.25, fading: 2.6),
    Partial(frequency: 2, loudness: 0.45, fading: 2.2), Partial(frequency: 2.52, loudness: 0.16, fading: 1.2),
    Partial(frequency: 2.67, loudness: 0.14, fading: 1.1), Partial(frequency: 3.01, loudness: 0.12, fading: 0.9),
    Partial(frequency: 4.17, loudness: 0.07, fading: 0.5), Partial(frequency: 5.43, loudness: 0.04, fading: 0.3),
  ]
  static let shipsBell = [
    Partial(frequency: 0.5, loudness: 0.25, fading: 2.4), Partial(frequency: 1, loudness: 0.9, fading: 2.2),
    Partial(frequency: 1.0021, loudness: 0.35, fading: 2.2), Partial(frequency: 1.19, loudness: 0.3, fading: 1.4),
    Partial(frequency: 1.51, loudness: 0.2, fading: 1), Partial(frequency: 2.01, loudness: 0.3, fading: 0.8),
    Partial(frequency: 2.66, loudness: 0.12, fading: 0.5), Partial(frequency: 3.02, loudness: 0.1, fading: 0.4),
    Partial(frequency: 4.1, loudness: 0.05, fading: 0.2),
  ]

  /// One stroke: begun within 6 ms, since metal that is struck softly does not click, and faded out in its last third.
  private static func struck(_ partials: [Partial], pitch: Double, seconds: Double) -> Clip {
    let count = Int(seconds * Double(rate))
    var sum = [Double](repeating: 0, count: count)
    for partial in partials {
      let angle = 2 * Double.pi * partial.frequency * pitch / Double(rate)
      let shrinking = exp(-6.9078 / (partial.fading * Double(rate)))
      let (across, up) = (cos(angle) * shrinking, sin(angle) * shrinking)
      var (real, imaginary) = (partial.loudness, 0.0)
      for index in 0..<count {
        sum[index] += imaginary
        (real, imaginary) = (real * across - imaginary * up, real * up + imaginary * across)
      }
    }
    let (rise, fall) = (rate * 6 / 1_000, count / 3)
    for index in 0..<rise { sum[index] *= (1 - cos(Double.pi * Double(index) / Double(rise))) / 2 }
    for index in 0..<fall { sum[count - 1 - index] *= (1 - cos(Double.pi * Double(index) / Double(fall))) / 2 }
    let greatest = sum.reduce(0) { max($0, abs($1)) }
    return Clip(samples: sum.map { Float($0 / greatest * 0.7) }, rate: rate)
  }

  /// Two strokes, the second while the first still sounds.
  private static func pair(_ stroke: Clip, apart: Double) -> Clip {
    let later = Int(apart * Double(rate))
    var samples = stroke.samples + [Float](repeating: 0, count: later)
    for index in stroke.samples.indices { samples[index + later] += stroke.samples[index] }
    let greatest = samples.reduce(0) { max($0, abs($1)) }
    return Clip(samples: samples.map { $0 / greatest * 0.7 }, rate: rate)
  }
}
