public import Server
import Synchronization

/// A line for what only so many may do at a time, in the order of coming: each sender has a share of the places.
public final class UploadLine: Sendable {
  private struct Waiting {
    let sender: Int
    let continuation: CheckedContinuation<Void, Never>
  }
  private struct State {
    var inside: [Int: Int] = [:]
    var count = 0
    var waiting: [Waiting] = []
  }
  private let state = Mutex(State())
  private let most: Int
  private let ofSender: Int
  private let refusal: HTTPError

  /// - Parameters:
  ///   - ofSender: of all places, those of one sender.
  ///   - refusal: what is thrown when too many wait.
  public init(_ most: Int, ofSender: Int, refusal: HTTPError) {
    (self.most, self.ofSender, self.refusal) = (most, ofSender, refusal)
  }

  /// Waits for a place. Whoever has left meanwhile gets one all the same, and gives it back at once.
  public func enter(_ sender: Int) async throws(HTTPError) {
    let isFull = state.withLock { state in
      state.waiting.count >= ReceivingLimits.waiting
        || state.waiting.count { $0.sender == sender } >= ReceivingLimits.waitingOfSender
    }
    guard !isFull else { throw refusal }
    await withCheckedContinuation { continuation in
      let mayEnter = state.withLock { state in
        if admits(sender, state) {
          Self.add(sender, &state)
          return true
        }
        state.waiting.append(Waiting(sender: sender, continuation: continuation))
        return false
      }
      if mayEnter { continuation.resume() }
    }
  }

  public func leave(_ sender: Int) {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.count -= 1
      let left = (state.inside[sender] ?? 1) - 1
      state.inside[sender] = left > 0 ? left : nil
      guard let first = state.waiting.firstIndex(where: { admits($0.sender, state) }) else { return nil }
      let waiting = state.waiting.remove(at: first)
      Self.add(waiting.sender, &state)
      return waiting.continuation
    }
    next?.resume()
  }

  private func admits(_ sender: Int, _ state: State) -> Bool {
    state.count < most && state.inside[sender, default: 0] < ofSender
  }

  private static func add(_ sender: Int, _ state: inout State) {
    state.count += 1
    state.inside[sender, default: 0] += 1
  }
}
