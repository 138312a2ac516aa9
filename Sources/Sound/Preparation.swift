import Glibc
import SpeakingClock

/// Makes parts fit to be joined: without the silence at their ends, and equally loud.
enum Preparation {
  /// The loudness of every part, as the root of the mean square of what is heard of it: -20 dB of the greatest sample.
  static let loudness: Float = 0.1
  /// No sample is louder, so that players which resample once more have room.
  static let peak: Float = 0.95
  /// Not more is amplified: what is quieter is noise for the most part.
  static let mostGain: Float = 31.6
  /// Below it, -66 dB, nothing is said in a recording.
  static let silence: Float = 0.0005
  /// Below the loudest moment of a word by this, 42 dB, there is silence; soft consonants are above it.
  static let belowWord: Float = 0.008
  /// Strokes fade away, so they are heard for longer: 60 dB.
  static let belowStroke: Float = 0.001
  /// The least distance of a word from its loudest noise: no noise of a room is louder than this part of the peak.
  static let mostNoise: Float = 0.05

  /// The audible part of a sound.
  struct Heard {
    /// From just before its beginning to just after its end.
    var range: Range<Int>
    /// The root of the mean square of it.
    var loudness: Float
    /// The greatest sample.
    var peak: Float
  }

  /// - Throws: `silent` if there is nothing to be heard.
  static func heard(_ clip: Clip, _ part: Part) throws(VoiceError) -> Heard {
    let window = max(1, clip.rate / 100)
    let levels = levels(of: clip.samples, window)
    guard let loudest = levels.max(), loudest > silence else {
      throw VoiceError(.silent, seen: "nothing is heard in it", accepted: "a recording of the part is needed")
    }
    let border = border(levels, loudest, part)
    let heard = levels.indices.filter { levels[$0] > border }
    guard let first = heard.first, let last = heard.last else {
      // Squares that are infinite: nothing is louder than the loudest.
      throw VoiceError(.damaged, seen: "its samples are far too great", accepted: SoundFile.samples)
    }
    // The breath before a word and its end are kept: 15 ms before it, 30 ms after it.
    let start = max(0, first * window - window * 3 / 2)
    let end = min(clip.frames, (last + 1) * window + window * 3)
    let square = heard.reduce(Float(0)) { $0 + levels[$1] * levels[$1] } / Float(heard.count)
    let peak = clip.samples.reduce(Float(0)) { max($0, abs($1)) }
    return Heard(range: start..<end, loudness: square.squareRoot(), peak: peak)
  }

  static func prepared(_ clip: Clip, _ part: Part, rate: Int) throws(VoiceError) -> [Float] {
    let heard = try heard(clip, part)
    var samples = Clip(samples: Array(clip.samples[heard.range]), rate: clip.rate).resampled(to: rate).samples
    fade(&samples, gain: min(loudness / heard.loudness, peak / heard.peak, mostGain), frames: rate / 250)
    return samples
  }

  /// The root mean square of each window of 10 ms.
  private static func levels(of samples: [Float], _ window: Int) -> [Float] {
    samples.withUnsafeBufferPointer { samples in
      stride(from: 0, to: samples.count, by: window).map { start in
        let end = min(samples.count, start + window)
        var sum: Float = 0
        for index in start..<end { sum += samples[index] * samples[index] }
        return (sum / Float(end - start)).squareRoot()
      }
    }
  }

  /// The level above which something is heard: a recording in a room never gets as quiet as one that was made.
  private static func border(_ levels: [Float], _ loudest: Float, _ part: Part) -> Float {
    if part.isStroke { return max(loudest * belowStroke, silence / 10) }
    let noise = levels.sorted()[levels.count / 20]
    return max(loudest * belowWord, min(noise * 2, loudest * mostNoise), silence / 10)
  }

  /// Amplifies, and lets both ends begin and end at zero, within 4 ms, so that no click is heard.
  private static func fade(_ samples: inout [Float], gain: Float, frames: Int) {
    let count = samples.count
    let ramp = min(frames, count / 2)
    samples.withUnsafeMutableBufferPointer { samples in
      for index in 0..<count { samples[index] *= gain }
      for index in 0..<ramp {
        let part = Float(index) / Float(ramp)
        samples[index] *= part
        samples[count - 1 - index] *= part
      }
    }
  }
}
