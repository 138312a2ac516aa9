import Glibc
import Sound

/// The sounds of the watch, which differ in more than their loudness: an alarm that sweeps up and down, a warning of
/// three strokes, and one soft low tone that says that the watch goes on.
enum AnchorSounds {
  static let rate = 44_100

  /// As the sirens of smoke detectors and fire alarms: 3 s of a sweep between two tones that carry through a bulkhead.
  static var alarm: Clip {
    tone(seconds: 3) { time in
      let sweep = abs((time * 2).truncatingRemainder(dividingBy: 1) * 2 - 1)
      return 900 + 1_700 * (1 - sweep)
    } loudness: { _ in
      0.95
    }
  }

  static var warning: Clip {
    tone(seconds: 1.2) { _ in
      1_050
    } loudness: { time in
      time.truncatingRemainder(dividingBy: 0.4) < 0.2 ? 0.7 : 0
    }
  }

  /// A drop: short, low, quiet.
  static var stillWatching: Clip {
    tone(seconds: 0.35) { _ in
      392
    } loudness: { time in
      0.25 * exp(-time * 9)
    }
  }

  private static func tone(seconds: Double, pitch: (Double) -> Double, loudness: (Double) -> Double) -> Clip {
    let count = Int(seconds * Double(rate))
    var samples = [Float](repeating: 0, count: count)
    var phase = 0.0
    var level = 0.0
    for index in 0..<count {
      let time = Double(index) / Double(rate)
      phase += 2 * Double.pi * pitch(time) / Double(rate)
      // Edges of 5 ms: a loudspeaker does not click.
      level += (loudness(time) - level) * 0.01
      let wave = sin(phase) + 0.35 * sin(3 * phase)
      let edge = min(1, Double(min(index, count - 1 - index)) / (0.005 * Double(rate)))
      samples[index] = Float(wave / 1.35 * level * edge)
    }
    return Clip(samples: samples, rate: rate)
  }
}
