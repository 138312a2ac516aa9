package import Hub
package import Observe
package import Server
import Synchronization

/// A bounded queue in front of an actor with slow answers: everybody has a share of it, equal questions are computed
/// once for all askers, and a question whose askers have all left is dropped.
package final class QuestionLine<Asked: Actor>: Sendable {
  private typealias Work = @Sendable (isolated Asked) -> any Sendable

  /// Wraps an answer, which may be nil.
  private struct Box<Answer: Sendable>: Sendable {
    var answer: Answer
  }
  /// One question with all its askers.
  private struct Question {
    var work: Work
    /// The first asker, in whose share it counts.
    var asker: String
    var waiting: [Int: CheckedContinuation<(any Sendable)?, Never>] = [:]
  }
  private struct State {
    var questions: [String: Question] = [:]
    /// The keys of questions not begun yet, in order.
    var line: [String] = []
    var isWorking = false
    var lastWaiter = 0
  }
  private let state = Mutex(State())
  private let supervisor: Supervisor
  private let name: String
  private let limit: Int
  private let share: Int
  private let computed: Counter
  private let dropped: Counter
  private let refused: Counter

  /// - Parameters:
  ///   - name: the name for the metrics, such as "programme".
  ///   - limit: the most different questions waiting, at most half of them by strangers.
  ///   - share: the most of one asker.
  package init(_ name: String, limit: Int, share: Int, _ metrics: Metrics, _ supervisor: Supervisor) {
    (self.supervisor, self.name, self.limit, self.share) = (supervisor, name, limit, share)
    func counter(_ end: String, _ what: String) -> Counter {
      metrics.counter("eightbells_questions_\(end)_total", help: "Questions that \(what).", labels: ["to": name])
    }
    computed = counter("computed", "were computed")
    dropped = counter("dropped", "nobody waited for any more")
    refused = counter("refused", "found no room in the line")
    metrics.gauge("eightbells_questions_waiting", help: "Questions that stand in the line.", labels: ["to": name]) {
      [weak self] in Double(self?.waiting ?? 0)
    }
  }

  /// The number of questions not begun yet.
  package var waiting: Int { state.withLock { $0.line.count } }

  /// Computes an answer on the actor, or shares that of an equal question.
  /// - Parameters:
  ///   - key: identifies the question; the same key always has an answer of the same type.
  ///   - asker: the key of the asker's share.
  ///   - isStranger: true if the asker is not identified, since many addresses are easily had.
  /// - Throws: 503 if the queue, or the asker's share of it, is full.
  package func ask<Answer: Sendable>(
    _ asked: Asked, _ key: String, by asker: String, isStranger: Bool = true,
    _ work: @escaping @Sendable (isolated Asked) -> Answer
  ) async throws(HTTPError) -> Answer {
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let answer: (any Sendable)? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let boxed: Work = { asked in Box(answer: work(asked)) }
        let room = isStranger ? limit / 2 : limit
        guard join(key, asker, room, waiter, continuation, boxed) else { return continuation.resume(returning: nil) }
        begin(asked)
      }
    } onCancel: {
      leave(key, waiter)
    }
    guard let box = answer as? Box<Answer> else { throw tooBusy }
    return box.answer
  }

  /// - Returns: false if there is no room for it, or its asker has left already.
  private func join(
    _ key: String, _ asker: String, _ room: Int, _ waiter: Int,
    _ continuation: CheckedContinuation<(any Sendable)?, Never>, _ work: @escaping Work
  ) -> Bool {
    state.withLock { state in
      // A cancellation from here on waits for the lock, and then finds this entry.
      guard !Task.isCancelled else { return false }
      if state.questions[key] == nil {
        let isFull =
          state.line.count >= room
          || state.questions.values.count { $0.asker == asker } >= share
        guard !isFull else {
          refused.add()
          return false
        }
        state.questions[key] = Question(work: work, asker: asker)
        state.line.append(key)
      }
      state.questions[key]?.waiting[waiter] = continuation
      return true
    }
  }

  private func leave(_ key: String, _ waiter: Int) {
    let left = state.withLock { state -> CheckedContinuation<(any Sendable)?, Never>? in
      guard let continuation = state.questions[key]?.waiting.removeValue(forKey: waiter) else { return nil }
      // A question being computed is nearly done, and the next asker may need it.
      if state.questions[key]?.waiting.isEmpty == true, let index = state.line.firstIndex(of: key) {
        state.line.remove(at: index)
        state.questions[key] = nil
        dropped.add()
      }
      return continuation
    }
    left?.resume(returning: nil)
  }

  private func begin(_ asked: Asked) {
    let mustBegin = state.withLock { state in
      guard !state.isWorking, !state.line.isEmpty else { return false }
      state.isWorking = true
      return true
    }
    guard mustBegin else { return }
    let task = supervisor.once("\(name) questions") { [self] in
      // Each in a job of its own, so that the actor's other work need not wait for all of them.
      while let (key, work) = next() { await answer(key, work, asked) }
    }
    if task == nil { refuseAll() }
  }

  /// Refuses all waiting questions, since the hub is shutting down.
  private func refuseAll() {
    let waiting = state.withLock { state in
      defer { (state.questions, state.line, state.isWorking) = ([:], [], false) }
      return state.questions.values.flatMap(\.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: nil) }
  }

  private func next() -> (String, Work)? {
    state.withLock { state in
      guard !state.line.isEmpty else {
        state.isWorking = false
        return nil
      }
      let key = state.line.removeFirst()
      return state.questions[key].map { (key, $0.work) }
    }
  }

  /// On the actor to the end, so that askers after a change never get an answer from before it.
  private func answer(_ key: String, _ work: Work, _ asked: isolated Asked) {
    let answer = work(asked)
    computed.add()
    let waiting = state.withLock { $0.questions.removeValue(forKey: key)?.waiting.values }
    for continuation in waiting.map(Array.init) ?? [] { continuation.resume(returning: answer) }
  }

  private var tooBusy: HTTPError {
    HTTPError(
      .tooBusy, "Too many questions are waiting.", help: "Ask again in a moment; nothing was changed.",
      fields: [Response.Field("Retry-After", "2")])
  }
}
