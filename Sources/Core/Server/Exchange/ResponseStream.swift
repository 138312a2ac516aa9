import EventLoop

/// A body that is made, or comes, while it is sent.
public struct ResponseStream: Sendable {
  /// Bytes in all, nil when nobody knows.
  public var length: Int?
  /// Bytes of memory that its producer needs for as long as it is not done.
  public var memory: Int
  /// Writes the body; the answer ends when this returns. If it throws, the client sees that its answer is cut off.
  let produce: @Sendable (ResponseWriter) async throws(StreamFault) -> Void

  public init(
    length: Int? = nil, memory: Int = 0,
    _ produce: @escaping @Sendable (ResponseWriter) async throws(StreamFault) -> Void
  ) {
    self.length = length
    self.memory = memory
    self.produce = produce
  }
}

/// Why a streamed body ends early.
public enum StreamFault: Error, Equatable, Sendable {
  /// The client is gone.
  case closed
  /// The rest cannot be had.
  case broken(String)
}

/// Takes the pieces of a streamed body. It belongs to the connection's loop, on which the producer's task runs anyway.
public final class ResponseWriter: @unchecked Sendable {
  /// What carries the pieces on: a connection, or one stream of one.
  protocol Sink: AnyObject {
    /// Whether more may be put in before something has left.
    var hasRoom: Bool { get }
    /// Bytes that a piece should have, so that what waits is not much more than it may be.
    var pieceBytes: Int { get }
    func write(_ piece: [UInt8])
  }

  private let loop: EventLoop
  private var sink: (any Sink)?
  private var waiting: CheckedContinuation<Void, Never>?

  init(loop: EventLoop, sink: any Sink) {
    self.loop = loop
    self.sink = sink
  }

  /// Sends a piece, and waits while the client is behind.
  public func write(_ piece: [UInt8]) async throws(StreamFault) {
    loop.assertCurrent()
    if !piece.isEmpty { sink?.write(piece) }
    while let sink, !sink.hasRoom {
      await withCheckedContinuation { waiting = $0 }
    }
    if sink == nil { throw .closed }
  }

  /// Bytes that the next piece should have at most; a producer that can choose asks.
  var pieceBytes: Int { sink?.pieceBytes ?? ServerLimits.filePieceBytes }

  /// There may be room again.
  func goOn() {
    let writer = waiting
    waiting = nil
    writer?.resume()
  }

  /// Nobody takes anything any more.
  func close() {
    sink = nil
    goOn()
  }
}
