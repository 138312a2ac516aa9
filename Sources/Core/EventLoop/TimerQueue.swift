/// A timer that can still be cancelled. Confined to its loop.
public final class LoopTimer: @unchecked Sendable {
  let deadline: Double
  let order: UInt64
  private(set) var work: (() -> Void)?

  init(deadline: Double, order: UInt64, work: @escaping () -> Void) {
    self.deadline = deadline
    self.order = order
    self.work = work
  }

  public func cancel() { work = nil }

  func fire() {
    let due = work
    work = nil
    due?()
  }
}

/// Timers by their deadline: a binary heap; equal deadlines in the order they were made.
struct TimerQueue {
  private var heap: [LoopTimer] = []
  private var made: UInt64 = 0

  /// Uptime in seconds of the next timer that still has work.
  mutating func nextDeadline() -> Double? {
    while let first = heap.first, first.work == nil { removeFirst() }
    return heap.first?.deadline
  }

  mutating func insert(deadline: Double, work: @escaping () -> Void) -> LoopTimer {
    made += 1
    let timer = LoopTimer(deadline: deadline, order: made, work: work)
    heap.append(timer)
    siftUp(heap.count - 1)
    return timer
  }

  /// The next timer due at `now`, nil once none is.
  mutating func popDue(at now: Double) -> LoopTimer? {
    guard let deadline = nextDeadline(), deadline <= now else { return nil }
    let timer = heap[0]
    removeFirst()
    return timer
  }

  private static func precedes(_ a: LoopTimer, _ b: LoopTimer) -> Bool {
    (a.deadline, a.order) < (b.deadline, b.order)
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if Self.precedes(heap[child], heap[smallest]) { smallest = child }
      }
      if smallest == parent { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }

  private mutating func siftUp(_ index: Int) {
    var child = index
    while child > 0, Self.precedes(heap[child], heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }
}
