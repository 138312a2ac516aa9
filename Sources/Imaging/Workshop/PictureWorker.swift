import CLinux
import EventLoop
import Glibc

/// One process that decodes, and its socket. It has one job at a time. Confined to its loop.
final class PictureWorker: Watcher {
  enum News {
    case ready(ReadyMessage)
    case idle
    /// It ended. With the reason if it had never been ready.
    case ended(neverReady: String?)
  }
  private enum State {
    case stopped
    case starting
    case idle
    case busy((Result<MadePicture, PictureError>) -> Void)
  }

  private let loop: EventLoop
  private let tell: (News) -> Void
  private var state = State.stopped
  private var child: ChildProcess?
  private var socket: Int32 = -1
  private var complaints: Int32 = -1
  private var splitter = FrameSplitter()
  private var rest: ArraySlice<UInt8> = []
  private var timer: LoopTimer?

  init(loop: EventLoop, _ tell: @escaping (News) -> Void) { (self.loop, self.tell) = (loop, tell) }

  var isIdle: Bool { if case .idle = state { true } else { false } }
  /// No process is left of it: one that is ending is still waited for.
  var isStopped: Bool { if case .stopped = state { child == nil } else { false } }
  /// It has been ready, and takes jobs now or soon.
  var isUp: Bool {
    switch state {
    case .idle, .busy: true
    case .stopped, .starting: false
    }
  }

  func start(_ program: String) {
    var (sockets, pipe) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
    guard clinux_socket_pair(&sockets) == 0 else { return tell(.ended(neverReady: String(cString: strerror(errno)))) }
    guard clinux_pipe(&pipe) == 0 else {
      for one in sockets { close(one) }
      return tell(.ended(neverReady: String(cString: strerror(errno))))
    }
    defer {
      close(sockets[1])
      close(pipe[1])
    }
    // A worker that complains without end does not wait for a reader: there is none until it has died.
    for one in [sockets[0], pipe[0], pipe[1]] { _ = fcntl(one, F_SETFL, O_NONBLOCK) }
    do throws(PictureError) {
      child = try ChildProcess(program, ["decode"], [sockets[1], -1, pipe[1]], loop: loop)
    } catch {
      close(sockets[0])
      close(pipe[0])
      return tell(.ended(neverReady: error.description))
    }
    (socket, complaints) = (sockets[0], pipe[0])
    (splitter, rest, state) = (FrameSplitter(), [], .starting)
    loop.watch(socket, for: [.readable, .writable], self)
    limit(ImagingLimits.startSeconds, .helperFailed("it was not ready in time"))
  }

  /// Hands over a job; the worker must be idle.
  func begin(_ job: PictureJob, _ done: @escaping (Result<MadePicture, PictureError>) -> Void) {
    precondition(isIdle)
    state = .busy(done)
    limit(ImagingLimits.pictureSeconds, .tookTooLong)
    var message = JobMessage(wish: job.wish, name: job.name)
    var descriptor: Int32 = -1
    switch job.source {
    case .bytes(let bytes): message.picture = bytes
    case .descriptor(let source): descriptor = source
    }
    rest = message.frame.bytes[...]
    // A local socket that is empty takes the first bytes at once.
    let count = rest.withUnsafeBytes { clinux_send(socket, $0.baseAddress, $0.count, descriptor) }
    guard count > 0 else { return end(.helperFailed("it takes no jobs")) }
    rest = rest.dropFirst(count)
    write()
  }

  /// Ends it for good; no process is left afterwards.
  func stop() {
    child?.end()
    end(.notRunning("the hub is ending"))
  }

  private func limit(_ seconds: Double, _ error: PictureError) {
    timer?.cancel()
    timer = loop.schedule(after: seconds) { [weak self] in self?.end(error) }
  }

  // MARK: The socket

  func ready(_ readiness: Readiness) {
    write()
    read()
  }

  private func write() {
    while socket >= 0, !rest.isEmpty {
      let count = rest.withUnsafeBytes { clinux_send(socket, $0.baseAddress, $0.count, -1) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return }
      guard count > 0 else { return end(.helperFailed("it ended")) }
      rest = rest.dropFirst(count)
    }
  }

  private func read() {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while socket >= 0 {
      let count = Glibc.read(socket, &piece, piece.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return }
      guard count > 0 else { return end(.helperFailed("it ended")) }
      splitter.feed(piece[..<count])
      do throws(Frame.Fault) {
        while let frame = try splitter.next() { try take(frame) }
      } catch {
        return end(.helperFailed("it sent nonsense; it has to be of the hub's version"))
      }
    }
  }

  private func take(_ frame: Frame) throws(Frame.Fault) {
    switch state {
    case .starting:
      let message = try ReadyMessage(frame)
      becomeIdle()
      tell(.ready(message))
    case .busy(let done):
      let outcome = try Outcome(frame)
      becomeIdle()
      switch outcome {
      case .made(let picture): done(.success(picture))
      case .failed(let error): done(.failure(error))
      }
    case .idle, .stopped: throw .malformed
    }
    tell(.idle)
  }

  private func becomeIdle() {
    timer?.cancel()
    state = .idle
  }

  // MARK: The end

  private func end(_ error: PictureError) {
    guard socket >= 0, let child else { return }
    timer?.cancel()
    loop.unwatch(socket)
    close(socket)
    socket = -1
    child.kill()
    let before = state
    state = .stopped
    let complaints = complaints
    child.wait { [self] status in
      let words = Self.complaint(complaints)
      self.child = nil
      var reason: String?
      if case .starting = before { reason = words ?? "\(error.description) (\(ChildProcess.words(status)))" }
      if case .busy(let done) = before {
        var error = error
        if case .helperFailed(let words) = error { error = .helperFailed("\(words), \(ChildProcess.words(status))") }
        done(.failure(error))
      }
      tell(.ended(neverReady: reason))
    }
  }

  /// The first line that it wrote to its standard error, which is closed.
  private static func complaint(_ complaints: Int32) -> String? {
    defer { close(complaints) }
    var bytes = [UInt8](repeating: 0, count: ImagingLimits.wordBytes)
    let count = Glibc.read(complaints, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
