import CZlib

/// gzip (RFC 1952) by zlib.
public enum Gzip {
  /// Compresses bytes, at zlib's usual level.
  public static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    let code = czlib_deflate_gzip_init(&stream, 6)
    precondition(code == Z_OK, "zlib cannot start: error \(code)")
    return deflated(bytes, &stream)
  }

  /// What a stream that has just begun makes of all bytes; it has ended afterwards.
  static func deflated(_ bytes: [UInt8], _ stream: inout z_stream) -> [UInt8] {
    defer { deflateEnd(&stream) }
    // An array would keep the room of the worst case, ten times what is used.
    let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Int(deflateBound(&stream, UInt(bytes.count))))
    defer { room.deallocate() }
    bytes.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(input.count)
      stream.next_out = room.baseAddress
      stream.avail_out = UInt32(room.count)
      let code = deflate(&stream, Z_FINISH)
      precondition(code == Z_STREAM_END, "zlib did not finish: error \(code)")
    }
    return Array(room[..<Int(stream.total_out)])
  }

  /// Decompresses one gzip stream; nil if it is malformed or larger than `count`.
  public static func decompress(_ bytes: UnsafeBufferPointer<UInt8>, count: Int) -> [UInt8]? {
    guard count <= WireLimits.inflatedBytes else { return nil }
    var stream = z_stream()
    guard czlib_inflate_gzip_init(&stream) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var isComplete = false
    let output = [UInt8](unsafeUninitializedCapacity: max(1, count)) { output, initialized in
      stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
      stream.avail_in = UInt32(bytes.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      isComplete = inflate(&stream, Z_FINISH) == Z_STREAM_END
      initialized = Int(stream.total_out)
    }
    return isComplete ? output : nil
  }
}

/// Decompresses one gzip stream piece by piece, so that the whole need not be in memory. It must be given the same
/// bytes each time.
public final class Unpacking {
  /// Bytes of memory that zlib needs meanwhile: its window of 32 KB and its tables (zlib's FAQ).
  public static let memory = 44 << 10

  /// At a fixed address, since zlib keeps a pointer to it.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var taken = 0

  public init() {
    stream.initialize(to: z_stream())
    let code = czlib_inflate_gzip_init(stream)
    precondition(code == Z_OK, "zlib cannot start: error \(code)")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// The next bytes, at most `count`; fewer only at the end, nil if the stream is malformed.
  public func next(_ bytes: UnsafeBufferPointer<UInt8>, count: Int) -> [UInt8]? {
    var code = Z_OK
    let piece = [UInt8](unsafeUninitializedCapacity: max(1, count)) { output, initialized in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress.map { $0 + taken })
      stream.pointee.avail_in = UInt32(bytes.count - taken)
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = UInt32(count)
      code = inflate(stream, Z_NO_FLUSH)
      taken = bytes.count - Int(stream.pointee.avail_in)
      initialized = count - Int(stream.pointee.avail_out)
    }
    return code == Z_STREAM_END || (code == Z_OK && piece.count == count) ? piece : nil
  }
}
