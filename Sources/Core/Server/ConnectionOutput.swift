import EventLoop
import Glibc

/// How a connection writes: now what the socket takes, the rest when it has room again.
extension Connection {
  func transmit(_ bytes: [UInt8]) {
    if isClosed { return }
    guard output.isEmpty, isWritable else { return output.append(bytes) }
    let sent = send(bytes)
    if sent < 0 { close() } else { output.append(bytes, from: sent) }
  }

  func transmit(fixed bytes: UnsafeBufferPointer<UInt8>) {
    if isClosed { return }
    output.append(fixed: bytes)
    if isWritable { flush() }
  }

  /// How many bytes the socket took, -1 when it is broken.
  func send(_ bytes: [UInt8]) -> Int {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.send(descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        isWritable = false
        deadline = uptime + ServerLimits.sendSeconds
        break
      } else if errno != EINTR {
        return -1
      }
    }
    return sent
  }

  func scheduleFlush() {
    if isFlushScheduled { return }
    isFlushScheduled = true
    server.loop.atEndOfTurn { [self] in
      isFlushScheduled = false
      flush()
    }
  }

  func flush() {
    if isClosed { return }
    let before = output.count
    switch isWritable ? output.send(to: descriptor) : .wouldBlock {
    case .done: if closesWhenSent { return finishSending() }
    case .wouldBlock:
      isWritable = false
      if output.count < before { deadline = uptime + ServerLimits.sendSeconds }
    case .failed: return close()
    }
    goOn()
  }

  /// All is sent that will be.
  func finishSending() {
    guard lingers, case .requests = state else { return close() }
    shutdown(descriptor, Int32(SHUT_WR))
    state = .lingering(dropped: 0)
    deadline = uptime + ServerLimits.lingerSeconds
  }
}
