import Wire

/// Small pictures for a demonstration: an evening at the water, each at another hour. The same each time.
enum DemoPainting {
  private static let (width, height) = (480, 320)

  /// A picture as PNG (ISO/IEC 15948).
  static func png(_ number: Int) -> [UInt8] {
    var bytes: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
    bytes += chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + [8, 2, 0, 0, 0])
    bytes += chunk("IDAT", zlib(rows(number)))
    return bytes + chunk("IEND", [])
  }

  /// Sky, sun, a hill and the water below; each row begins with the byte for no filter.
  private static func rows(_ number: Int) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (1 + 3 * width))
    let (sunX, sunY) = (60 + number * 83 % 360, 50 + number * 37 % 90)
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width {
        let hill = 190 - (x + number * 71) % 240 * (240 - (x + number * 71) % 240) / 260
        let far = (x - sunX) * (x - sunX) + (y - sunY) * (y - sunY)
        let color: (Int, Int, Int)
        if y > 210 {
          color = (20 + number * 9, 90 + (y * 7 + x) % 23, 140 + (y - 210) / 2)
        } else if y > hill {
          color = (40 + number * 6, 80 + (y - hill) / 3, 60)
        } else if far < 600 {
          color = (255, 225, 140)
        } else {
          color = (250 - y / 2, 150 + y / 4 - number * 8, 110 + number * 12 + y / 3)
        }
        rows.append(UInt8(clamping: color.0))
        rows.append(UInt8(clamping: color.1))
        rows.append(UInt8(clamping: color.2))
      }
    }
    return rows
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return big(UInt32(data.count)) + body + big(crc32(body))
  }

  /// The bytes as zlib's format has them (RFC 1950): what gzip compresses, between other ends.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x9C] + Gzip.compress(bytes).dropFirst(10).dropLast(8) + big(b << 16 | a)
  }

  /// The CRC-32 of bytes, as gzip writes it behind them.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    Gzip.compress(bytes, level: 1).suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    [
      UInt8(truncatingIfNeeded: value >> 24), UInt8(truncatingIfNeeded: value >> 16),
      UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value),
    ]
  }
}
