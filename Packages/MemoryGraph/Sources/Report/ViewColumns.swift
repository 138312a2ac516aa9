import Graph

// Columns of numbers, one for each node or reference, as the page reads them: a list of JSON objects would be ten times
// as long, and would take a browser seconds to parse.
extension JSONWriter {
  /// Whole numbers in 1, 2 or 4 bytes each, as the largest needs: {"width":2,"data":"base64"}.
  mutating func column(_ name: String, _ numbers: [UInt32]) {
    let largest = numbers.max() ?? 0
    if largest <= 0xFF {
      column(name, width: 1, numbers.map { UInt8(truncatingIfNeeded: $0) })
    } else if largest <= 0xFFFF {
      column(name, width: 2, numbers.map { UInt16(truncatingIfNeeded: $0) })
    } else {
      column(name, width: 4, numbers)
    }
  }

  /// Numbers of 8 bytes, up to 2^53: addresses.
  mutating func column(_ name: String, wide numbers: [UInt64]) {
    column(name, width: 8, numbers.map { Double($0) })
  }

  private mutating func column<Number>(_ name: String, width: Int, _ numbers: [Number]) {
    object(name) { json in
      json.number("width", width)
      numbers.withUnsafeBytes { json.base64("data", $0) }
    }
  }
}

/// Base64 (RFC 4648, section 4), with its padding.
func base64(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
  let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  let length = (bytes.count + 2) / 3 * 4
  return [UInt8](unsafeUninitializedCapacity: length) { out, count in
    signs.withUnsafeBufferPointer { signs in
      var place = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let rest = bytes.count - start
        let second = rest > 1 ? bytes[start + 1] : 0
        let third = rest > 2 ? bytes[start + 2] : 0
        out[place] = signs[Int(bytes[start] >> 2)]
        out[place + 1] = signs[Int((bytes[start] & 3) << 4 | second >> 4)]
        out[place + 2] = rest > 1 ? signs[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "=")
        out[place + 3] = rest > 2 ? signs[Int(third & 63)] : UInt8(ascii: "=")
        place += 4
      }
    }
    count = length
  }
}
