import Synchronization

/// A count of events, which only grows. Any thread may add; adding is one atomic step and allocates nothing.
public final class Counter: Sendable {
  private let count = Atomic<UInt64>(0)

  init() {}

  public func add(_ number: Int = 1) {
    precondition(number >= 0, "a counter cannot go back by \(number)")
    count.wrappingAdd(UInt64(number), ordering: .relaxed)
  }

  public var value: UInt64 { count.load(ordering: .relaxed) }
}

/// A whole number that goes up and down, such as open connections. Any thread may change it, in one atomic step that
/// allocates nothing.
public final class Gauge: Sendable {
  private let level = Atomic<Int>(0)

  init() {}

  public func add(_ number: Int = 1) { level.wrappingAdd(number, ordering: .relaxed) }
  public func subtract(_ number: Int = 1) { level.wrappingSubtract(number, ordering: .relaxed) }
  public func set(_ number: Int) { level.store(number, ordering: .relaxed) }

  public var value: Int { level.load(ordering: .relaxed) }
}

/// Counts measured values by buckets, and their sum. Any thread may observe, in a few atomic steps that allocate
/// nothing.
public final class Histogram: Sendable {
  /// Bucket bounds in seconds, from an answer out of memory to a request that is given up.
  public static let latency: [Double] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  /// The upper bounds of the buckets, rising and inclusive; one more bucket takes all values above the last.
  public let bounds: [Double]
  // One count for each bound, and one for values above them all. The memory never moves; its contents are atomic.
  private nonisolated(unsafe) let counts: UnsafeMutablePointer<Atomic<UInt64>>
  /// The sum as the bits of a Double, since there is no atomic addition of floating point numbers.
  private let sum = Atomic<UInt64>(0)

  init(bounds: [Double]) {
    precondition(
      bounds.allSatisfy(\.isFinite) && zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 },
      "the bounds of a histogram rise and are finite: \(bounds)")
    self.bounds = bounds
    counts = .allocate(capacity: bounds.count + 1)
    for index in 0...bounds.count { (counts + index).initialize(to: Atomic(0)) }
  }

  deinit {
    counts.deinitialize(count: bounds.count + 1)
    counts.deallocate()
  }

  public func observe(_ value: Double) {
    var index = 0
    while index < bounds.count, value > bounds[index] { index += 1 }
    counts[index].wrappingAdd(1, ordering: .relaxed)
    var old = sum.load(ordering: .relaxed)
    while true {
      let new = (Double(bitPattern: old) + value).bitPattern
      let (isExchanged, now) = sum.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
      if isExchanged { return }
      old = now
    }
  }

  /// The count of each bucket alone, the one above all bounds last, and the sum. A value observed meanwhile may be in
  /// one of the two and not yet in the other.
  public var reading: (counts: [UInt64], sum: Double) {
    let counts = (0...bounds.count).map { self.counts[$0].load(ordering: .relaxed) }
    return (counts, Double(bitPattern: sum.load(ordering: .relaxed)))
  }
}
