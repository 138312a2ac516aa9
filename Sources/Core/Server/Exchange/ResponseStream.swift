import EventLoop

/// A body that is produced while it is sent.
public struct ResponseStream: Sendable {
  /// Bytes in all; nil when not known beforehand.
  public var length: Int?
  /// Bytes of memory that the producer holds until it is done.
  public var memory: Int
  /// Writes the body; the response ends when this returns. If it throws, the client sees that the body is cut off.
  let produce: @Sendable (ResponseWriter) async throws(StreamFault) -> Void
  /// The same of a part alone; nil if only the whole can be made.
  private var makePart: (@Sendable (Range<Int>) -> ResponseStream)?

  public init(
    length: Int? = nil, memory: Int = 0,
    _ produce: @escaping @Sendable (ResponseWriter) async throws(StreamFault) -> Void
  ) {
    self.length = length
    self.memory = memory
    self.produce = produce
  }

  /// A body of which any part can be made alone, so that a client may ask for one.
  public init(
    length: Int, memory: Int = 0,
    part: @escaping @Sendable (Range<Int>, ResponseWriter) async throws(StreamFault) -> Void
  ) {
    self.init(length: length, memory: memory) { writer async throws(StreamFault) in try await part(0..<length, writer) }
    makePart = { range in
      ResponseStream(length: range.count, memory: memory) { writer async throws(StreamFault) in
        try await part(range, writer)
      }
    }
  }

  func part(_ range: Range<Int>) -> ResponseStream? { makePart?(range) }
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
    /// Sends a file's bytes without passing them through the program.
    /// - Returns: false where that is not possible.
    func write(_ file: OpenFile, _ range: Range<Int>) -> Bool
  }

  private let loop: EventLoop
  private let files: FileReader
  private let unpackings: UnpackingLine
  private var sink: (any Sink)?
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ listener: Listener, sink: any Sink) {
    loop = listener.loop
    files = listener.shared.files
    unpackings = listener.unpackings
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

  /// Sends a part of a file, from the disk to the socket where that is possible, and waits while the client is behind.
  public func write(_ file: OpenFile, _ range: Range<Int>) async throws(StreamFault) {
    loop.assertCurrent()
    if let sink, sink.write(file, range) { return try await write([]) }
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + min(ServerLimits.filePieceBytes, pieceBytes), range.upperBound)
      guard let piece = await files.read(file, start..<end), piece.count == end - start else {
        throw .broken("a file became shorter, or its disk fails")
      }
      try await write(piece)
      start = end
    }
  }

  /// Waits until the next piece may be decompressed.
  func unpackingTurn() async throws(StreamFault) {
    await unpackings.turn()
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
