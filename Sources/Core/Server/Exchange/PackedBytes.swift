import EventLoop
import Wire

/// Bytes that are kept as gzip, and decompressed for the few clients that do not accept it. They are decompressed while
/// they are sent, so requests whose answers are not read cost no memory.
public struct PackedBytes: Sendable {
  private enum Source: Sendable {
    case fixed(Response.FixedBytes)
    case kept([UInt8])
  }
  private let source: Source
  /// Bytes after decompression.
  public let count: Int

  public init(_ compressed: [UInt8], count: Int) {
    source = .kept(compressed)
    self.count = count
  }

  /// - Parameter compressed: gzip data that is part of the program.
  public init(_ compressed: Response.FixedBytes, count: Int) {
    source = .fixed(compressed)
    self.count = count
  }

  private func withBytes<T>(_ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    switch source {
    case .fixed(let fixed): body(fixed.bytes)
    case .kept(let bytes): bytes.withUnsafeBufferPointer(body)
    }
  }

  /// Bytes of memory that decompressing takes, besides the output waiting to be sent.
  private var memory: Int {
    switch source {
    case .fixed: Unpacking.memory
    case .kept(let bytes): Unpacking.memory + bytes.count
    }
  }

  /// The decompressed bytes, piece by piece.
  func stream() -> ResponseStream {
    ResponseStream(length: count, memory: memory) { writer async throws(StreamFault) in
      let unpacking = Unpacking()
      var left = count
      while left > 0 {
        try await writer.unpackingTurn()
        let wanted = min(ServerLimits.unpackedPieceBytes, writer.pieceBytes, left)
        guard let piece = withBytes({ unpacking.next($0, count: wanted) }), piece.count == wanted else {
          throw .broken("an answer was compressed wrongly")
        }
        left -= wanted
        try await writer.write(piece)
      }
    }
  }
}

/// The answers of one loop that are decompressed while they are sent wait here for their next piece. However many are
/// asked for, what else comes is handled after a few pieces. Confined to the loop.
final class UnpackingLine: @unchecked Sendable {
  private let loop: EventLoop
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ loop: EventLoop) { self.loop = loop }

  /// Waits until a piece may be decompressed.
  func turn() async {
    loop.assertCurrent()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      waiting.append(continuation)
      if waiting.count == 1 { goOnLater() }
    }
  }

  private func goOnLater() {
    loop.atNextTurn { [self] in
      let next = Array(waiting.prefix(ServerLimits.unpackedTogether))
      waiting.removeFirst(next.count)
      if !waiting.isEmpty { goOnLater() }
      for one in next { one.resume() }
    }
  }
}
