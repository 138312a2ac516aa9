/// What a connection speaks once that is known: HTTP/1.1, HTTP/2 or WebSocket. Confined to its loop.
protocol ConnectionHandler: AnyObject {
  /// Whether more may be read; false while the peer must wait.
  var mayRead: Bool { get }
  /// Whether nothing is lost by closing now.
  var isIdle: Bool { get }
  /// Whether more is to be sent, although nothing waits just now.
  var isAnswering: Bool { get }

  /// Bytes of memory that it keeps for the peer, beside what waits in the connection's queue.
  var held: Int { get }

  /// Works on what has come. What it leaves behind `position` it gets again when `mayRead` says so, or another handler
  /// gets it that has taken its place.
  func receive(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int)
  /// All that could be read for now has been received.
  func receivedAll()
  /// The peer has sent its last byte, and all before it was received. It may still listen.
  func peerFinished()
  /// The peer has closed its end, or all of it, and there may be bytes of it that were not read yet.
  func peerMayBeGone()
  /// Something of what waited has been sent.
  func sentSome()
  /// `Connection.deadline` has passed.
  func timeOut()
  /// The server is going down: ends what can be ended.
  func serverCloses()
  /// The connection is gone, for whatever reason. Called once.
  func connectionClosed()
}
