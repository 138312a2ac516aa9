import Synchronization

/// A number of things that happened; it only grows. Any thread may add, in one atomic step and without memory.
public final class Counter: Sendable {
  private let count = Atomic<UInt64>(0)

  init() {}

  public func add(_ number: Int = 1) {
    precondition(number >= 0, "a counter cannot go back by \(number)")
    count.wrappingAdd(UInt64(number), ordering: .relaxed)
  }

  public var value: UInt64 { count.load(ordering: .relaxed) }
}

/// A whole number that goes up and down, such as what is open now. Any thread may change it, in one atomic step and
/// without memory.
public final class Gauge: Sendable {
  private let level = Atomic<Int>(0)

  init() {}

  public func add(_ number: Int = 1) { level.wrappingAdd(number, ordering: .relaxed) }
  public func subtract(_ number: Int = 1) { level.wrappingSubtract(number, ordering: .relaxed) }
  public func set(_ number: Int) { level.store(number, ordering: .relaxed) }

  public var value: Int { level.load(ordering: .relaxed) }
}

/// How often a measured value fell below each of some bounds, and the sum of all. Any thread may observe, in a few
/// atomic steps and without memory.
public final class Histogram: Sendable {
  /// Seconds, from a page out of memory to a request that is given up.
  public static let latency: [Double] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  /// The upper bounds, rising, each part of its bucket; values above the last one count as well.
  public let bounds: [Double]
  // One count for each bound, and one for what lies above them all. The memory never moves, its contents are atomic.
  private nonisolated(unsafe) let counts: UnsafeMutablePointer<Atomic<UInt64>>
  /// The bits of a Double, since the machine adds no floating point numbers atomically.
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

  /// How many values lie in each bucket alone, the one above all bounds last, and their sum. What is observed meanwhile
  /// may be in the one already and not yet in the other.
  public var reading: (counts: [UInt64], sum: Double) {
    let counts = (0...bounds.count).map { self.counts[$0].load(ordering: .relaxed) }
    return (counts, Double(bitPattern: sum.load(ordering: .relaxed)))
  }
}
