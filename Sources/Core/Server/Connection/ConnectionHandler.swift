/// The protocol of a connection, once known: HTTP/1.1, HTTP/2 or WebSocket. Confined to its loop.
protocol ConnectionHandler: AnyObject {
  /// True if more may be read; false while the peer must wait.
  var mayRead: Bool { get }
  /// True if nothing is lost by closing now.
  var isIdle: Bool { get }
  /// True between two requests.
  var awaitsRequest: Bool { get }
  /// True if it is the peer's turn, besides reading what is queued: more of a request is to come, or more of an answer
  /// to be let through.
  var awaitsPeer: Bool { get }
  /// True if more is to be sent, although nothing is queued just now.
  var isAnswering: Bool { get }

  /// Bytes of memory held for the peer, besides the connection's output queue.
  var held: Int { get }

  /// Handles input and advances `position`. Bytes behind it are handed in again when `mayRead` is true, or to the
  /// handler that replaced this one.
  func receive(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int)
  /// Called after each read, when there may be more to read.
  func receivedSome()
  /// Called when all that could be read for now was handed in.
  func receivedAll()
  /// Called when the peer has closed its side and all before was handed in. It may still read.
  func peerFinished()
  /// Called when the peer has closed its side, or the connection; some of its bytes may not be read yet.
  func peerMayBeGone()
  /// Called when some of the output was sent.
  func sentSome()
  /// Called when `Connection.deadline` has passed.
  func timeOut()
  /// True if the peer stays by itself, as who listens does, and can be told to go: `serverCloses` does so.
  var stays: Bool { get }
  /// Called when the server shuts down: ends what can be ended.
  func serverCloses()
  /// Called once when the connection is about to be closed, while its state can still be read.
  func connectionCloses()
  /// Called once when the connection is closed, for whatever reason.
  func connectionClosed()
}

extension ConnectionHandler {
  var awaitsPeer: Bool { false }
  func receivedSome() {}
  func connectionCloses() {}
}
