import Capture

enum TaskState: String, CaseIterable {
  case suspended
  case running
  /// Waiting for a thread, or for its actor.
  case enqueued
  case ended

  var typeName: String { "task (\(rawValue))" }
}

/// Reads tasks: their state, the memory of their functions, and where they are suspended.
struct TaskReader {
  let memory: MemoryImage
  let code: CodePointers

  static func state(_ task: UInt64, _ memory: MemoryImage) -> TaskState {
    let state = memory.half(task + SwiftLayout.Task.state) ?? 0
    if state & SwiftLayout.Task.isComplete != 0 { return .ended }
    if state & SwiftLayout.Task.isRunning != 0 { return .running }
    return state & SwiftLayout.Task.isEnqueued != 0 ? .enqueued : .suspended
  }

  /// The blocks of memory of a task's functions, with the bytes of each in use: after them are stale words of functions
  /// that have returned.
  func slabs(of task: UInt64) -> [(address: UInt64, taken: Int)] {
    var found: [(address: UInt64, taken: Int)] = []
    var next = memory.word(task + SwiftLayout.Task.slab) ?? 0
    while next != 0, next & 7 == 0, next >> AddressSpace.bits == 0, found.count < Self.mostSlabs,
      let capacity = memory.half(next + SwiftLayout.Slab.capacity),
      let taken = memory.half(next + SwiftLayout.Slab.taken),
      taken <= capacity
    {
      found.append((next, SwiftLayout.Slab.header + Int(taken)))
      next = memory.word(next + SwiftLayout.Slab.next) ?? 0
    }
    return found
  }

  /// The functions in which a task and its callers resume, by their beginnings, the innermost first.
  func calls(of task: UInt64) -> [UInt64] {
    var found: [UInt64] = []
    func add(_ address: UInt64?) {
      // A continuation's context repeats where the task resumes.
      if let address, code.isCode(address), found.last != address { found.append(address) }
    }
    add(memory.word(task + SwiftLayout.Task.resume))
    var context = memory.word(task + SwiftLayout.Task.context) ?? 0
    var steps = 0
    while context != 0, context & 7 == 0, context >> AddressSpace.bits == 0, steps < Self.mostCalls {
      add(memory.word(context + SwiftLayout.Task.callerResume))
      context = memory.word(context + SwiftLayout.Task.caller) ?? 0
      steps += 1
    }
    return found
  }

  private static let mostSlabs = 1 << 12
  private static let mostCalls = 64
}
