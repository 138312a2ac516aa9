import CZlib

/// PNG (W3C Recommendation, third edition) of pictures that are painted: three bytes a pixel, nothing but the pixels.
public enum PNG {
  /// A picture as a file.
  /// - Parameters:
  ///   - rows: of each row the byte 0, which means no filter, and then red, green and blue of each pixel.
  ///   - level: 0 not compressed, 1 fastest … 9 smallest.
  public static func file(width: Int, height: Int, rows: [UInt8], level: Int32 = 6) -> [UInt8] {
    precondition(rows.count == height * (1 + 3 * width), "\(rows.count) bytes are not \(width) × \(height) pixels")
    var stream = z_stream()
    let code = czlib_deflate_init(&stream, level)
    precondition(code == Z_OK, "zlib cannot start: error \(code)")
    var file: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
    // Eight bits of each colour, and no other method than the first of each kind.
    add("IHDR", big(UInt32(width)) + big(UInt32(height)) + [8, 2, 0, 0, 0], to: &file)
    add("IDAT", Gzip.deflated(rows, &stream), to: &file)
    add("IEND", [], to: &file)
    return file
  }

  /// The CRC-32 of bytes, as PNG and ZIP have it.
  public static func crc32(_ bytes: [UInt8]) -> UInt32 { crc32(bytes[...]) }

  private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer { UInt32(CZlib.crc32(0, $0.baseAddress, UInt32($0.count))) }
  }

  private static func add(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
    file.reserveCapacity(file.count + data.count + 12)
    file += big(UInt32(data.count))
    let start = file.count
    file += type.utf8
    file += data
    file += big(crc32(file[start...]))
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
