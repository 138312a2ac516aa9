import EventLoop
import Glibc

/// A connection's writing: at once what the socket takes, the rest when it has room again.
extension Connection {
  func transmit(_ bytes: [UInt8]) {
    if isClosed { return }
    guard output.isEmpty, isWritable else {
      output.append(bytes)
      return settle()
    }
    let sent = bytes.withUnsafeBufferPointer(send)
    if sent < 0 { return close() }
    output.append(bytes, from: sent)
    settleQueue()
  }

  /// Sends bytes from memory that the caller will reuse: what the socket does not take is copied.
  func transmit(copying bytes: UnsafeBufferPointer<UInt8>) {
    if isClosed { return }
    guard output.isEmpty, isWritable else {
      output.append(Array(bytes))
      return settle()
    }
    let sent = send(bytes)
    if sent < 0 {
      close()
    } else if sent < bytes.count {
      output.append(Array(bytes[sent...]))
      settle()
    }
  }

  func transmit(fixed bytes: UnsafeBufferPointer<UInt8>) {
    if isClosed { return }
    output.append(fixed: bytes)
    if isWritable { scheduleFlush() }
  }

  /// Sends a file after the head of its response, so that both may share a packet. Not for TLS, where the bytes must
  /// pass through the program.
  func transmit(head: [UInt8] = [], _ file: OpenFile, _ range: Range<Int>) {
    if isClosed { return }
    output.append(head)
    output.append(file, range, isCached: listener.isCached(file))
    if isWritable { scheduleFlush() }
  }

  /// Sends a message that thousands of connections may get at once: the first of a turn directly, the following
  /// together at the end of the turn. A reader that has fallen too far behind is dropped then, not here, where the
  /// caller may be in the middle of a broadcast.
  func deliver(_ bytes: [UInt8]) {
    if isClosed || closesWhenSent { return }
    if output.count + bytes.count > ServerLimits.socketQueueBytes { return drop() }
    guard output.isEmpty, isWritable, directTurn != loop.turnNumber else {
      output.append(bytes)
      return scheduleFlush()
    }
    directTurn = loop.turnNumber
    let sent = bytes.withUnsafeBufferPointer(send)
    if sent < 0 { return drop() }
    output.append(bytes, from: sent)
    settleQueue()
  }

  /// True if the peer's system has confirmed everything that was sent: nothing waits here or in the kernel.
  var hasDelivered: Bool { output.isEmpty && unconfirmed == 0 }

  /// Bytes that the kernel holds until the peer's system has confirmed them (SIOCOUTQ, tcp(7)); -1 if it cannot say.
  var unconfirmed: Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : -1
  }

  private func drop() {
    closesWhenSent = true
    loop.atEndOfTurn { [self] in close() }
  }

  /// The count of bytes that the socket took; -1 when it is broken.
  private func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var sent = 0
    while sent < bytes.count {
      let count = sendOnce(UnsafeBufferPointer(rebasing: bytes[sent...]))
      if count == Self.broken { return -1 }
      if count == Self.wouldBlock {
        isWritable = false
        deadline = uptime + ServerLimits.sendSeconds
        break
      }
      sent += count
      moved += count
    }
    return sent
  }

  private func sendOnce(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if let tls { return tls.write(bytes) }
    while true {
      let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return count }
      if errno == EAGAIN { return Self.wouldBlock }
      if errno != EINTR { return Self.broken }
    }
  }

  func scheduleFlush() {
    if isFlushScheduled { return }
    isFlushScheduled = true
    loop.atEndOfTurn { [self] in
      isFlushScheduled = false
      flush()
    }
  }

  func flush() {
    if isClosed { return }
    let before = output.count
    if isWritable, !isFetching {
      let outcome = if let tls { output.send(to: tls) } else { output.send(to: descriptor) }
      moved += before - output.count
      switch outcome {
      case .done: if closesWhenSent, handler?.isAnswering != true { return finishSending() }
      case .wouldBlock: isWritable = false
      case .notCached(let file, let range): return fetch(file, range)
      case .enoughForNow:
        // Until then the socket counts as full, so that nothing else is sent in between.
        isWritable = false
        loop.execute { [self] in
          isWritable = true
          flush()
        }
      case .failed: return close()
      }
    }
    if output.count < before {
      if !output.isEmpty { deadline = uptime + ServerLimits.sendSeconds }
      handler?.sentSome()
    }
    if isClosed { return }
    settleQueue()
    goOn()
  }

  /// Has another thread read a part of a file into the page cache, then continues sending. Nobody waits for the task:
  /// it reads one part, and a connection that was closed meanwhile sends nothing.
  private func fetch(_ file: OpenFile, _ range: Range<Int>) {
    // Each byte that comes meanwhile reports the socket as writable too, and a second fetch would end when another file
    // is sent already.
    isFetching = true
    deadline = uptime + ServerLimits.sendSeconds
    let reader = listener.shared.files
    Task.immediate(executorPreference: loop) { [self] in
      await reader.warm(file, range)
      isFetching = false
      output.markCached(upTo: range.upperBound)
      flush()
    }
  }
}
