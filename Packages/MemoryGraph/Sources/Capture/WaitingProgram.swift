import CLinux
import Glibc

/// A program that waits for a look; it continues when this is released. Meanwhile, if tracing is forbidden, it does the
/// work itself: it sends its memory, and makes its twin (Shim/twin.h).
public final class WaitingProgram {
  let memory: ServedMemory

  init(_ process: Int32, _ socket: Int32) { memory = ServedMemory(process, socket) }

  deinit {
    var byte: UInt8 = 1
    send(memory.socket, &byte, 1, Int32(MSG_NOSIGNAL))
  }
}

/// A process that reads its memory for this tool.
final class ServedMemory: MemorySource {
  let process: Int32
  fileprivate let socket: Int32
  private static let read: UInt64 = 1
  private static let twin: UInt64 = 2
  private static let protected: UInt64 = 3
  private static let calls: UInt64 = 4
  /// The most bytes of an answer after its first word.
  private static let mostBytes: UInt64 = 64 << 10

  init(_ process: Int32, _ socket: Int32) {
    self.process = process
    self.socket = socket
    // An accepted connection is non-blocking.
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK)
    var limit = timeval(tv_sec: Int(CaptureLimits.twinSeconds), tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  private func ask(_ words: [UInt64]) -> Bool {
    send(socket, words, words.count * 8, Int32(MSG_NOSIGNAL)) == words.count * 8
  }

  /// Lets the program answer calls from now on.
  func answerCalls() { _ = ask([Self.calls, 0, 0]) }

  func read(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int64 {
    read(Self.read, address, count, into: target)
  }

  private func read(
    _ request: UInt64, _ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer
  ) -> Int64 {
    var done: UInt64 = 0
    while done < count {
      let part = min(count - done, Self.mostBytes)
      var answer: Int64 = 0
      guard ask([request, address &+ done, part]), receive(&answer, target + Int(done), Int(part)) else {
        return Int64(-ESRCH)
      }
      guard answer > 0 else { return done > 0 ? Int64(done) : answer }
      done += UInt64(answer)
    }
    return Int64(done)
  }

  /// A twin grants itself the right to read; the program itself reads what it may.
  var whateverItsRights: any MemorySource { Protected(of: self) }

  private final class Protected: MemorySource {
    private let memory: ServedMemory
    var process: Int32 { memory.process }

    init(of memory: ServedMemory) { self.memory = memory }

    func read(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int64 {
      memory.read(ServedMemory.protected, address, count, into: target)
    }
  }

  private func receive(_ answer: inout Int64, _ target: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    withUnsafeMutablePointer(to: &answer) { word in
      var parts = [iovec(iov_base: word, iov_len: 8), iovec(iov_base: target, iov_len: count)]
      return parts.withUnsafeMutableBufferPointer { parts in
        var message = msghdr()
        message.msg_iov = parts.baseAddress
        message.msg_iovlen = 2
        var received = 0
        repeat { received = recvmsg(socket, &message, 0) } while received < 0 && errno == EINTR
        return received >= 8 && word.pointee <= received - 8
      }
    }
  }

  func makeTwin() throws(CaptureError) -> ForkedTwin {
    var words = [Int64](repeating: 0, count: 6)
    var twin: Int32 = -1
    guard ask([Self.twin, 0, 0]), clinux_receive(socket, &words, 48, &twin) == 48 else {
      guard ProcessFiles(process).text("comm") != nil else { throw ProcessFiles.gone(process) }
      throw CaptureError(
        .refused,
        """
        Process \(process) could not be asked to the end: it has closed the descriptor that it was asked by, or has \
        become another program meanwhile.
        """)
    }
    guard let number = Int32(exactly: words[0]), number > 0, twin >= 0 else {
      let why =
        words[4] > 0
        ? "thread \(words[4]) did not stand still" : Self.reason(Int32(truncatingIfNeeded: 0 &- words[0]))
      throw CaptureError(.refused, "Process \(process) could not make its twin: \(why).")
    }
    return try ForkedTwin(
      of: process, ServedMemory(number, twin), threads: UInt64(bitPattern: words[1]), count: Int(words[2]),
      size: Int(words[3]), stopSeconds: Double(words[5]) / 1e9)
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case EMFILE: "it has no descriptor left to look at its threads with (ulimit -n)"
    case EAGAIN: "no more signals may wait for it (ulimit -i), or it may have no more processes (ulimit -u)"
    default: String(cString: strerror(code))
    }
  }
}

/// A twin that the program has forked itself, as a child of this tool. It ends when this is released.
final class ForkedTwin {
  let memory: ServedMemory
  let threads: [Snapshot.Thread]
  let stopSeconds: Double
  /// The threads that there may be (`most_threads` of Shim/standing.h), and the bytes of each: three words and its
  /// registers at least.
  private static let counts = 1...4096
  private static let sizes = 24 + MemoryLayout<user_regs_struct>.size...4096

  fileprivate init(
    of process: Int32, _ memory: ServedMemory, threads place: UInt64, count: Int, size: Int, stopSeconds: Double
  ) throws(CaptureError) {
    self.memory = memory
    self.stopSeconds = stopSeconds
    // Whatever has answered, it need not have been the shim.
    guard Self.counts.contains(count), Self.sizes.contains(size), size % 8 == 0 else {
      throw CaptureError(
        .refused, "Process \(process) says that it has \(count) threads of \(size) bytes, as the shim never does.")
    }
    let bytes = count * size
    let room = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
    defer { room.deallocate() }
    guard memory.read(place, UInt64(bytes), into: room) == Int64(bytes) else { throw ProcessFiles.gone(process) }
    threads = (0..<count).compactMap { index in
      let entry = room + index * size
      let number = Int32(truncatingIfNeeded: entry.load(as: UInt64.self))
      guard number > 0 else { return nil }  // It has ended meanwhile.
      let pointer = entry.load(fromByteOffset: 8, as: UInt64.self)
      let registers = Registers(at: entry + 24, threadPointer: pointer, memory)
      let vectors = VectorRegisters.words(
        at: entry.load(fromByteOffset: 16, as: UInt64.self), memory, isInCall: registers.isInSystemCall)
      return Snapshot.Thread(number: number, registers: registers, vectors: vectors)
    }.sorted { $0.number < $1.number }
  }

  deinit {
    // It may have been stopped with the program's whole group, and would then not end by itself. Only a child of this
    // tool is killed, in case its number was reused.
    var status: Int32 = 0
    guard waitpid(memory.process, &status, WNOHANG) == 0 else { return }
    kill(memory.process, SIGKILL)
    while waitpid(memory.process, &status, 0) < 0 && errno == EINTR {}
  }
}
