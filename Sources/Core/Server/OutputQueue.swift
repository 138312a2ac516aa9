import Glibc

/// What still has to be sent on a connection. Bytes are shared, not copied: a broadcast frame stands in every queue as
/// the same array.
struct OutputQueue {
  private enum Chunk {
    case bytes([UInt8])
    case fixed(UnsafeBufferPointer<UInt8>)
  }
  private var chunks: ContiguousArray<Chunk> = []
  private var first = 0
  /// Bytes of the first chunk that are sent already.
  private var sent = 0
  /// Bytes that wait.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  enum Outcome { case done, wouldBlock, failed }

  mutating func append(_ bytes: [UInt8], from offset: Int = 0) {
    guard offset < bytes.count else { return }
    if isEmpty { sent = offset }
    // Only the front of the queue can be partly sent; behind others the rest is cut out.
    chunks.append(.bytes(isEmpty || offset == 0 ? bytes : Array(bytes[offset...])))
    count += bytes.count - offset
  }

  mutating func append(fixed bytes: UnsafeBufferPointer<UInt8>) {
    guard !bytes.isEmpty else { return }
    chunks.append(.fixed(bytes))
    count += bytes.count
  }

  mutating func removeAll() { self = OutputQueue() }

  /// Sends until all is gone or the socket is full: up to 64 chunks in one system call.
  mutating func send(to descriptor: Int32) -> Outcome {
    while count > 0 {
      let written = sendOnce(to: descriptor)
      if written < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN ? .wouldBlock : .failed
      }
      advance(by: written)
    }
    return .done
  }

  private func sendOnce(to descriptor: Int32) -> Int {
    let used = chunks[first..<min(chunks.count, first + 64)]
    return withUnsafeTemporaryAllocation(of: iovec.self, capacity: used.count) { vectors in
      for (index, chunk) in used.enumerated() {
        let bytes: UnsafeRawBufferPointer =
          switch chunk {
          // The queue holds the array, and nothing changes it until the call returns.
          case .bytes(let bytes): bytes.withUnsafeBytes { $0 }
          case .fixed(let bytes): UnsafeRawBufferPointer(bytes)
          }
        let skipped = index == 0 ? sent : 0
        vectors[index] = iovec(
          iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress! + skipped), iov_len: bytes.count - skipped)
      }
      var message = msghdr()
      message.msg_iov = vectors.baseAddress
      message.msg_iovlen = vectors.count
      return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
    }
  }

  private mutating func advance(by written: Int) {
    count -= written
    var rest = written
    while rest > 0 {
      let size =
        switch chunks[first] {
        case .bytes(let bytes): bytes.count
        case .fixed(let bytes): bytes.count
        }
      let step = min(rest, size - sent)
      sent += step
      rest -= step
      if sent == size {
        first += 1
        sent = 0
      }
    }
    if first == chunks.count {
      // An idle connection owns no buffers.
      chunks = []
      first = 0
    }
  }
}
