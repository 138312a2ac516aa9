import Wire

/// Bytes that are kept as gzip, and sent unpacked to the few clients that do not take them so. They are unpacked while
/// they are sent: whoever asks a hundred times and reads nothing gets nothing made.
public struct PackedBytes: Sendable {
  private enum Source: Sendable {
    case fixed(Response.FixedBytes)
    case kept([UInt8])
  }
  private let source: Source
  /// Bytes when they are unpacked.
  public let count: Int

  public init(_ compressed: [UInt8], count: Int) {
    source = .kept(compressed)
    self.count = count
  }

  /// - Parameter compressed: part of the program.
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

  /// Bytes of memory that sending it takes, beside what waits to be sent.
  private var memory: Int {
    switch source {
    case .fixed: Unpacking.memory
    case .kept(let bytes): Unpacking.memory + bytes.count
    }
  }

  /// These bytes of it, at once.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    guard let all = withBytes({ Gzip.decompress($0, count: count) }) else {
      preconditionFailure("an answer was compressed wrongly")
    }
    return range == 0..<all.count ? all : Array(all[range])
  }

  /// These bytes of it, piece by piece.
  func stream(_ range: Range<Int>) -> ResponseStream {
    ResponseStream(length: range.count, memory: memory) { writer async throws(StreamFault) in
      let unpacking = Unpacking()
      var position = 0
      while position < range.upperBound {
        let wanted = min(ServerLimits.unpackedPieceBytes, writer.pieceBytes, range.upperBound - position)
        guard let piece = withBytes({ unpacking.next($0, count: wanted) }), piece.count == wanted else {
          throw .broken("an answer was compressed wrongly")
        }
        let skipped = min(max(0, range.lowerBound - position), wanted)
        position += wanted
        try await writer.write(skipped == 0 ? piece : Array(piece[skipped...]))
      }
    }
  }
}

extension Response.Body {
  /// All of it.
  public static func packed(_ bytes: PackedBytes) -> Response.Body { .packed(bytes, 0..<bytes.count) }
}
