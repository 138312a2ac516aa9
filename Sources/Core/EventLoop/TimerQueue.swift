/// A timer that can be cancelled. Confined to its loop.
public final class LoopTimer: @unchecked Sendable {
  let deadline: Double
  let order: UInt64
  fileprivate var work: (() -> Void)?
  /// The queue, while the timer waits in it.
  fileprivate weak var queue: TimerQueue?
  fileprivate var index = 0

  fileprivate init(deadline: Double, order: UInt64, work: @escaping () -> Void) {
    self.deadline = deadline
    self.order = order
    self.work = work
  }

  /// Removes the timer from its queue, and releases what its work keeps alive.
  public func cancel() {
    work = nil
    queue?.remove(self)
  }

  func fire() {
    let due = work
    work = nil
    due?()
  }
}

/// Timers ordered by deadline in a binary heap; equal deadlines in the order they were made.
final class TimerQueue {
  private var heap: [LoopTimer] = []
  private var made: UInt64 = 0

  /// Uptime in seconds at which the next timer is due.
  var nextDeadline: Double? { heap.first?.deadline }

  func insert(deadline: Double, work: @escaping () -> Void) -> LoopTimer {
    made += 1
    let timer = LoopTimer(deadline: deadline, order: made, work: work)
    timer.queue = self
    timer.index = heap.count
    heap.append(timer)
    siftUp(timer.index)
    return timer
  }

  /// Removes and returns the next timer due at `now`; nil when none is due.
  func popDue(at now: Double) -> LoopTimer? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    remove(first)
    return first
  }

  fileprivate func remove(_ timer: LoopTimer) {
    let index = timer.index
    timer.queue = nil
    let last = heap.removeLast()
    guard last !== timer else { return }
    place(last, at: index)
    siftUp(index)
    siftDown(last.index)
  }

  private static func precedes(_ a: LoopTimer, _ b: LoopTimer) -> Bool {
    (a.deadline, a.order) < (b.deadline, b.order)
  }

  private func place(_ timer: LoopTimer, at index: Int) {
    heap[index] = timer
    timer.index = index
  }

  private func swap(_ one: Int, _ other: Int) {
    let timer = heap[one]
    place(heap[other], at: one)
    place(timer, at: other)
  }

  private func siftDown(_ index: Int) {
    var parent = index
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if Self.precedes(heap[child], heap[smallest]) { smallest = child }
      }
      if smallest == parent { return }
      swap(parent, smallest)
      parent = smallest
    }
  }

  private func siftUp(_ index: Int) {
    var child = index
    while child > 0, Self.precedes(heap[child], heap[(child - 1) / 2]) {
      swap(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }
}
