import Device
import EventLoop
import Glibc
import Wire

/// The socket in the agent's folder by which commands on the same machine give it orders. Confined to its loop.
final class OrderSocket: Watcher {
  private let descriptor: Int32
  private let loop: EventLoop
  private let answer: (JSON) -> JSON
  private var conversations: [Int32: Conversation] = [:]

  /// - Parameter answer: called with each order.
  init(_ folder: StateFolder, loop: EventLoop, answer: @escaping (JSON) -> JSON) throws(DeviceError) {
    (self.loop, self.answer) = (loop, answer)
    descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    // The folder is this process's alone, so a socket that is there is one of before.
    try folder.remove(LocalOrders.socket)
    let socket = descriptor
    guard socket >= 0, LocalOrders.withAddress(folder, { bind(socket, $0, $1) }) == 0, listen(socket, 8) == 0 else {
      let failure = folder.failure("made", LocalOrders.socket)
      if socket >= 0 { Glibc.close(socket) }
      throw failure
    }
    fchmodat(folder.descriptor, LocalOrders.socket, 0o600, 0)
    loop.watch(descriptor, for: .readable, edge: false, self)
  }

  func ready(_ readiness: Readiness) {
    let peer = accept(descriptor, nil, nil)
    guard peer >= 0 else { return }
    _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
    _ = fcntl(peer, F_SETFL, O_NONBLOCK)
    guard conversations.count < AgentWatchLimits.orderConnections else {
      Glibc.close(peer)
      return
    }
    conversations[peer] = Conversation(peer, loop: loop, answer: answer) { [weak self] in
      self?.conversations[peer] = nil
    }
  }

  func close() {
    for one in conversations.values { one.close() }
    loop.unwatch(descriptor)
    Glibc.close(descriptor)
  }

  /// One order and its answer.
  private final class Conversation: Watcher {
    private let descriptor: Int32
    private let loop: EventLoop
    private let answer: (JSON) -> JSON
    private let ended: () -> Void
    private var received: [UInt8] = []
    private var timer: LoopTimer?

    init(_ descriptor: Int32, loop: EventLoop, answer: @escaping (JSON) -> JSON, ended: @escaping () -> Void) {
      (self.descriptor, self.loop, self.answer, self.ended) = (descriptor, loop, answer, ended)
      loop.watch(descriptor, for: .readable, edge: false, self)
      timer = loop.schedule(after: AgentWatchLimits.orderSeconds) { [weak self] in self?.close() }
    }

    func ready(_ readiness: Readiness) {
      var piece = [UInt8](repeating: 0, count: 16_384)
      let count = recv(descriptor, &piece, piece.count, 0)
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else { return close() }
      received += piece.prefix(count)
      guard let end = received.firstIndex(of: 10) else {
        return received.count > AgentWatchLimits.orderBytes ? close() : ()
      }
      let reply: JSON
      do throws(JSONError) {
        reply = answer(try JSON(parsing: Array(received[..<end])))
      } catch {
        reply = ["error": .string("line \(error.line), column \(error.column): \(error.message); JSON is accepted.")]
      }
      let line = reply.bytes + [10]
      // A buffer of a socket takes an answer whole.
      _ = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      close()
    }

    func close() {
      timer?.cancel()
      loop.unwatch(descriptor)
      Glibc.close(descriptor)
      ended()
    }
  }
}
