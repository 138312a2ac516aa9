import CLinux
import Glibc

/// The output waiting on a connection. Bytes are shared, not copied: a broadcast frame is the same array in every
/// queue.
struct OutputQueue {
  private enum Chunk {
    case bytes([UInt8])
    case fixed(UnsafeBufferPointer<UInt8>)
    /// `isCached`: all of the range is known to be in the page cache.
    case file(OpenFile, Range<Int>, isCached: Bool)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .fixed(let bytes): bytes.count
      case .file(_, let range, _): range.count
      }
    }
  }
  private var chunks: ContiguousArray<Chunk> = []
  private var first = 0
  /// Bytes of the first chunk that were sent already.
  private var sent = 0
  /// Bytes that wait.
  private(set) var count = 0
  /// Bytes of memory held by the waiting chunks: an array stays whole until its last byte is sent. Constants of the
  /// program and files hold none.
  private(set) var held = 0
  /// Waiting files; each holds a descriptor, however few of its bytes are needed.
  private(set) var files = 0
  /// The end of the part of the first chunk's file that is known to be in the page cache.
  private var cachedEnd = 0

  /// The most sent chunks that are still held: a queue that never runs empty must not keep all that passed through it.
  private static let sentChunks = 64

  var isEmpty: Bool { count == 0 }

  enum Outcome {
    case done, wouldBlock, failed
    /// The next bytes must first be read from the disk.
    case notCached(OpenFile, Range<Int>)
    /// There is more and the socket would take it, but other connections come first.
    case enoughForNow
  }

  mutating func append(_ bytes: [UInt8], from offset: Int = 0) {
    guard offset < bytes.count else { return }
    if isEmpty { sent = offset }
    // Only the first chunk can be partly sent; for later ones the rest is cut out.
    let chunk = isEmpty || offset == 0 ? bytes : Array(bytes[offset...])
    chunks.append(.bytes(chunk))
    held += chunk.count
    count += bytes.count - offset
  }

  mutating func append(fixed bytes: UnsafeBufferPointer<UInt8>) {
    guard !bytes.isEmpty else { return }
    chunks.append(.fixed(bytes))
    count += bytes.count
  }

  /// - Parameter isCached: true if all of the range is known to be in the page cache.
  mutating func append(_ file: OpenFile, _ range: Range<Int>, isCached: Bool = false) {
    guard !range.isEmpty else { return }
    chunks.append(.file(file, range, isCached: isCached))
    files += 1
    count += range.count
  }

  mutating func markCached(upTo end: Int) { cachedEnd = end }

  mutating func removeAll() { self = OutputQueue() }

  /// Sends until the queue is empty or the socket is full: up to 64 chunks in one system call.
  mutating func send(to descriptor: Int32) -> Outcome {
    var budget = ServerLimits.fileTurnBytes
    while count > 0 {
      let written: Int
      if case .file(let file, let range, let isCached) = chunks[first] {
        if budget <= 0 { return .enoughForNow }
        let start = range.lowerBound + sent
        let window = start..<min(range.upperBound, start + ServerLimits.fileWindowBytes)
        if isCached { cachedEnd = range.upperBound }
        if start >= cachedEnd {
          guard clinux_is_cached(file.descriptor, window.lowerBound, window.count) != 0 else {
            return .notCached(file, window)
          }
          cachedEnd = window.upperBound
        }
        var offset = start
        let wanted = min(cachedEnd - start, budget)
        written = clinux_sendfile(descriptor, file.descriptor, &offset, wanted)
        if written > 0, written < wanted, file.currentSize > start + written {
          // The socket was full a moment ago. Trying again at once would send only a few packets at a time.
          advance(by: written)
          return .wouldBlock
        }
        // The file was truncated meanwhile.
        if written == 0 { return .failed }
        budget -= max(0, written)
      } else {
        written = sendBytes(to: descriptor)
      }
      if written < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN ? .wouldBlock : .failed
      }
      advance(by: written)
    }
    return .done
  }

  /// Sends until the queue is empty or the socket is full; small chunks share a TLS record.
  mutating func send(to tls: TLSSession) -> Outcome {
    while count > 0 {
      let written = withRecord { tls.write($0) }
      if written == Connection.wouldBlock { return .wouldBlock }
      if written <= 0 { return .failed }
      advance(by: written)
    }
    return .done
  }

  /// Moves as much as fits into the buffer. There must be no file in the queue.
  /// - Returns: the count of bytes moved.
  mutating func move(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var filled = 0
    while filled < buffer.count, count > 0 {
      let bytes = Self.bytes(of: chunks[first]).bindMemory(to: UInt8.self)[sent...]
      let step = UnsafeMutableBufferPointer(rebasing: buffer[filled...])
        .update(fromContentsOf: bytes.prefix(buffer.count - filled))
      filled += step
      advance(by: step)
    }
    return filled
  }

  private func sendBytes(to descriptor: Int32) -> Int {
    let end = chunks[first...].prefix(64).firstIndex { if case .file = $0 { true } else { false } }
    let used = chunks[first..<(end ?? min(chunks.count, first + 64))]
    return withUnsafeTemporaryAllocation(of: iovec.self, capacity: used.count) { vectors in
      for (index, chunk) in used.enumerated() {
        let bytes = Self.bytes(of: chunk)
        let skipped = index == 0 ? sent : 0
        vectors[index] = iovec(
          iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress! + skipped), iov_len: bytes.count - skipped)
      }
      var message = msghdr()
      message.msg_iov = vectors.baseAddress
      message.msg_iovlen = vectors.count
      // A file follows: its first bytes may share a packet with these.
      return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL) | (end == nil ? 0 : Int32(MSG_MORE)))
    }
  }

  /// Hands the front of the queue to `write`: a large chunk as it is, small ones copied together. A part that is not
  /// taken begins the next call's bytes, as OpenSSL demands.
  private func withRecord(_ write: (UnsafeBufferPointer<UInt8>) -> Int) -> Int {
    let front = Self.bytes(of: chunks[first])
    let rest = UnsafeBufferPointer(rebasing: front.bindMemory(to: UInt8.self)[sent...])
    if rest.count >= ServerLimits.recordBytes || chunks.count == first + 1 { return write(rest) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ServerLimits.recordBytes) { record in
      var filled = record.update(fromContentsOf: rest)
      for chunk in chunks[(first + 1)...] {
        let bytes = Self.bytes(of: chunk).bindMemory(to: UInt8.self)
        let space = UnsafeMutableBufferPointer(rebasing: record[filled...])
        filled += space.update(fromContentsOf: bytes.prefix(space.count))
        if filled == record.count { break }
      }
      return write(UnsafeBufferPointer(rebasing: record[..<filled]))
    }
  }

  private static func bytes(of chunk: Chunk) -> UnsafeRawBufferPointer {
    switch chunk {
    // The queue holds the array, and nothing changes it until the call returns.
    case .bytes(let bytes): bytes.withUnsafeBytes { $0 }
    case .fixed(let bytes): UnsafeRawBufferPointer(bytes)
    case .file: preconditionFailure("a file's bytes do not come through the program")
    }
  }

  private mutating func advance(by written: Int) {
    count -= written
    var rest = written
    while rest > 0 {
      let size = chunks[first].count
      let step = min(rest, size - sent)
      sent += step
      rest -= step
      if sent == size {
        // A sent chunk is released now, not when the queue is compacted.
        switch chunks[first] {
        case .bytes: held -= size
        case .fixed: break
        case .file: files -= 1
        }
        chunks[first] = .bytes([])
        first += 1
        sent = 0
        cachedEnd = 0
      }
    }
    if first == chunks.count {
      // An idle connection keeps no buffers.
      chunks = []
      first = 0
    } else if first >= Self.sentChunks {
      chunks.removeFirst(first)
      first = 0
    }
  }
}
