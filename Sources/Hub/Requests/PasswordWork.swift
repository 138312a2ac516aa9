import Lifecycle
import Synchronization
import Wire

/// Does the slow work on passwords, on threads of its own. Those that wait are counted, in all and for each address:
/// sign-ins of strangers take few threads and some megabytes, however many come.
public final class PasswordWork: Sendable {
  /// The threads that work, and how many passwords may wait for them: in all, and of one address.
  public struct Limits: Sendable {
    let threads: Int
    let waiting: Int
    let ofAddress: Int

    public init(threads: Int, waiting: Int, ofAddress: Int) {
      (self.threads, self.waiting, self.ofAddress) = (threads, waiting, ofAddress)
    }
  }
  private let limits: Limits

  private struct Waiting {
    var threads: [WorkerThread] = []
    var count = 0
    var byAddress: [String: Int] = [:]
  }
  private let waiting = Mutex(Waiting())

  public init(_ limits: Limits) { self.limits = limits }

  /// - Parameter address: the caller's; those of one IPv6 /64 are one.
  /// - Returns: nil where too many wait already; nothing was done.
  public func run<Value: Sendable>(for address: String, _ work: @escaping @Sendable () -> Value) async -> Value? {
    let address = IPAddress(address)?.subscriber.description ?? ""
    guard let thread = begin(address) else { return nil }
    defer { end(address) }
    return await withUnsafeContinuation { continuation in
      thread.execute { continuation.resume(returning: work()) }
    }
  }

  /// Those that wait or are being done.
  package var count: Int { waiting.withLock { $0.count } }

  private func begin(_ address: String) -> WorkerThread? {
    waiting.withLock { waiting in
      guard waiting.count < limits.waiting,
        waiting.byAddress[address, default: 0] < limits.ofAddress
      else { return nil }
      if waiting.threads.isEmpty {
        waiting.threads = (1...limits.threads).map { WorkerThread(name: "passwords-\($0)") }
      }
      waiting.count += 1
      waiting.byAddress[address, default: 0] += 1
      return waiting.threads[waiting.count % waiting.threads.count]
    }
  }

  private func end(_ address: String) {
    waiting.withLock { waiting in
      waiting.count -= 1
      waiting.byAddress[address, default: 1] -= 1
      if waiting.byAddress[address] == 0 { waiting.byAddress[address] = nil }
    }
  }
}
