public import SpeakingClock

/// Joins announcements from the parts of a voice. An announcement is as long as its parts and the gaps between them, to
/// the sample.
public struct Joiner: Sendable {
  public let rate: Int
  private let voice: any Voice
  private let fallback: any Voice
  private let gapFrames: Int
  private var parts: [Part: Prepared] = [:]

  private struct Prepared {
    var samples: [Float]
    var faults: [VoiceError]
  }

  /// - Parameters:
  ///   - fallback: says the parts that the voice lacks, or that turn out to be broken.
  ///   - gap: seconds of silence between two parts; nil: as the voice says.
  public init(voice: any Voice, fallback: any Voice, rate: Int = 44_100, gap: Double? = nil) {
    (self.voice, self.fallback, self.rate) = (voice, fallback, rate)
    gapFrames = Int((min(max(0, gap ?? voice.gap), SoundLimits.gap) * Double(rate)).rounded())
  }

  /// - Returns: the announcement, and each part of it that the voice itself cannot say.
  public mutating func join(_ parts: [Part]) -> (clip: Clip, faults: [VoiceError]) {
    var samples: [Float] = []
    var faults: [VoiceError] = []
    for part in parts { prepare(part) }
    samples.reserveCapacity(parts.reduce(0) { $0 + (self.parts[$1]?.samples.count ?? 0) + gapFrames })
    for part in parts {
      guard let prepared = self.parts[part] else { continue }
      for fault in prepared.faults where !faults.contains(fault) { faults.append(fault) }
      if prepared.samples.isEmpty { continue }
      if !samples.isEmpty { samples.append(contentsOf: repeatElement(0, count: gapFrames)) }
      samples.append(contentsOf: prepared.samples)
    }
    return (Clip(samples: samples, rate: rate), faults)
  }

  /// A part as it stands in announcements: trimmed, levelled, and at the joiner's rate; empty if nobody can say it.
  public mutating func prepared(_ part: Part) -> Clip {
    prepare(part)
    return Clip(samples: parts[part]?.samples ?? [], rate: rate)
  }

  private mutating func prepare(_ part: Part) {
    guard parts[part] == nil else { return }
    var faults: [VoiceError] = []
    let given = [voice, fallback]
    let voices = part.isStroke ? given.filter { $0.parts.contains(part) } + [Strokes()] : given
    for voice in voices {
      do throws(VoiceError) {
        let samples = try Preparation.prepared(try voice.clip(part), part, rate: rate)
        parts[part] = Prepared(samples: samples, faults: faults)
        return
      } catch {
        faults.append(error.of(part))
      }
    }
    parts[part] = Prepared(samples: [], faults: faults)
  }
}
