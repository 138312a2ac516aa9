import CZlib

/// gzip (RFC 1952) by zlib.
public enum Gzip {
  /// - Parameter level: 1 fastest … 9 smallest.
  public static func compress(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
    var stream = z_stream()
    let code = czlib_deflate_gzip_init(&stream, level)
    precondition(code == Z_OK, "zlib cannot start: error \(code)")
    defer { deflateEnd(&stream) }
    // An array would keep all the room that the worst case takes: ten times what is used of it.
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

  /// The bytes of one gzip stream; nil if it is broken or would be larger than `count`.
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
