import Synchronization

/// The memory of unfinished request bodies of callers who are known by name: each caller's, over however many
/// connections and from wherever, and all together. Those of strangers count for their address (`Shares`), also where a
/// route has admitted them. May be called from any thread.
final class BodyShares: Sendable {
  private struct State {
    var callers: [String: Int] = [:]
    var all = 0
  }
  private let state = Mutex(State())

  /// Bytes held by all together.
  var bytes: Int { state.withLock { $0.all } }

  /// Takes so many bytes more.
  /// - Throws: 503 if the caller, or all together, would hold more than their share; nothing is taken then.
  func take(_ count: Int, by caller: String) throws(HTTPError) {
    let refusal = state.withLock { state -> HTTPError? in
      let held = state.callers[caller, default: 0] + count
      guard held <= ServerLimits.callerBodyBytes else { return .tooMuchUnfinished(of: ServerLimits.callerBodyBytes) }
      guard state.all + count <= ServerLimits.allBodyBytes else { return .tooMuchUnfinished(of: nil) }
      state.callers[caller] = held
      state.all += count
      return nil
    }
    if let refusal { throw refusal }
  }

  func release(_ count: Int, by caller: String) {
    state.withLock { state in
      let left = state.callers[caller, default: 0] - count
      state.callers[caller] = left > 0 ? left : nil
      state.all -= count
    }
  }
}

extension HTTPError {
  /// - Parameter limit: the caller's share; nil if all together have too much.
  fileprivate static func tooMuchUnfinished(of limit: Int?) -> HTTPError {
    HTTPError(
      .tooBusy,
      limit.map { "You have more than \($0 >> 20) MB of unfinished requests." }
        ?? "The hub has too many unfinished requests.",
      help: "Send large requests one after the other.")
  }
}
