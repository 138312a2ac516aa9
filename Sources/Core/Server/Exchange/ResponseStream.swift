import EventLoop

/// A body that is produced while it is sent.
public struct ResponseStream: Sendable {
  /// Bytes in all; nil when not known beforehand.
  public var length: Int?
  /// Bytes of memory that the producer holds until it is done.
  public var memory: Int
  /// Writes the body; the response ends when this returns. If it throws, the client sees that the body is cut off.
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

/// The reason why a streamed body ends early.
public enum StreamFault: Error, Equatable, Sendable {
  /// The client has left.
  case closed
  /// The producer cannot get the rest.
  case broken(String)
}

/// Takes the pieces of a streamed body. Confined to the connection's loop, where the producer's task runs anyway.
public final class ResponseWriter: @unchecked Sendable {
  /// The next station of the pieces: a connection, or one HTTP/2 stream.
  protocol Sink: AnyObject {
    /// True if more may be written before something was sent.
    var hasRoom: Bool { get }
    /// Bytes that a piece should have, so that the limit of waiting bytes is hardly exceeded.
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

  /// The most bytes that the next piece should have, for producers that can choose.
  var pieceBytes: Int { sink?.pieceBytes ?? ServerLimits.filePieceBytes }

  /// Called when there may be room again.
  func goOn() {
    let writer = waiting
    waiting = nil
    writer?.resume()
  }

  /// Called when no more pieces are accepted.
  func close() {
    sink = nil
    goOn()
  }
}
