/// A sound of one channel. Samples are from -1 to 1.
public struct Clip: Equatable, Sendable {
  public var samples: [Float]
  /// Samples a second.
  public var rate: Int

  public init(samples: [Float], rate: Int) { (self.samples, self.rate) = (samples, rate) }

  /// Sounds one after the other, at the highest of their rates.
  init(joining clips: [Clip]) {
    let rate = clips.map(\.rate).max() ?? 44_100
    self.init(samples: clips.flatMap { $0.resampled(to: rate).samples }, rate: rate)
  }

  public var frames: Int { samples.count }
  public var seconds: Double { Double(samples.count) / Double(rate) }

  /// The samples as 16-bit integers. What a file of 16 bits had comes out unchanged.
  public var integers: [Int16] {
    samples.map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded(.toNearestOrAwayFromZero)))) }
  }
}
