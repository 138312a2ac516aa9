final class HTTP2Handler: ConnectionHandler {
  private unowned let connection: Connection
  init(_ connection: Connection) { self.connection = connection }
  var mayRead: Bool { true }
  var isIdle: Bool { true }
  var isAnswering: Bool { false }
  func receive(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) { connection.close() }
  func receivedAll() {}
  func peerFinished() {}
  func peerMayBeGone() {}
  func sentSome() {}
  func timeOut() {}
  func serverCloses() {}
  func connectionClosed() {}
}
