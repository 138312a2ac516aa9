import Wire

/// Small pictures for a demonstration: an evening at the water, each at another hour. The same each time.
enum DemoPainting {
  private static let (width, height) = (480, 320)

  /// A picture as PNG (ISO/IEC 15948).
  static func png(_ number: Int) -> [UInt8] {
    PNG.file(width: width, height: height, rows: rows(number))
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
}
