/// True if bytes are rather Windows-1252 (or ISO 8859-1, a part of it) than UTF-8: more of those above ASCII make no
/// character of UTF-8 than do. So a file in which some program has cut a character stays UTF-8. A character may be
/// folded (RFC 5545 section 3.1).
func isWindows1252(_ bytes: ArraySlice<UInt8>) -> Bool {
  var (characters, strays) = (0, 0)
  // The bytes of a character so far, and those that it lacks.
  var (seen, lacking) = (0, 0)
  var position = bytes.startIndex
  func fold() -> Int {
    let end = bytes[position] == Byte.carriageReturn ? position + 1 : position
    guard end + 1 < bytes.endIndex, bytes[end] == Byte.newline else { return 0 }
    return bytes[end + 1] == Byte.space || bytes[end + 1] == Byte.tab ? end + 2 - position : 0
  }
  while position < bytes.endIndex {
    let byte = bytes[position]
    if lacking > 0, byte == Byte.carriageReturn || byte == Byte.newline, fold() > 0 {
      position += fold()
      continue
    }
    position += 1
    if byte & 0xC0 == 0x80, lacking > 0 {
      (seen, lacking) = (seen + 1, lacking - 1)
      if lacking == 0 { (characters, seen) = (characters + 1, 0) }
      continue
    }
    (strays, seen, lacking) = (strays + seen, 0, 0)
    switch byte {
    case ..<0x80: break
    case 0xC2...0xDF: (seen, lacking) = (1, 1)
    case 0xE0...0xEF: (seen, lacking) = (1, 2)
    case 0xF0...0xF4: (seen, lacking) = (1, 3)
    default: strays += 1
    }
  }
  return strays + seen > characters
}

/// Text in Windows-1252 as UTF-8.
func utf8(fromWindows1252 bytes: ArraySlice<UInt8>) -> [UInt8] {
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count + bytes.count / 8)
  for byte in bytes {
    if byte < 0x80 {
      text.append(byte)
    } else {
      let code = byte < 0xA0 ? upperControls[Int(byte - 0x80)] : UInt16(byte)
      text += String(UnicodeScalar(code) ?? "\u{FFFD}").utf8
    }
  }
  return text
}

/// The characters in place of ISO 8859-1's controls, 80 to 9F (WHATWG Encoding, index windows-1252); U+FFFD for none.
private let upperControls: [UInt16] = [
  0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
  0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
  0x0153, 0xFFFD, 0x017E, 0x0178,
]

/// The body of an answer in UTF-8, if its Content-Type names a character set that is known here (RFC 5545 section
/// 3.1.4). A server that names one for what is UTF-8 in truth is not believed.
func inUTF8(_ body: [UInt8], contentType: String?) -> [UInt8] {
  let parameters = (contentType ?? "").lowercased().split(separator: ";").dropFirst()
  let names = parameters.map { $0.filter { !" \t\"".contains($0) } }
  let isNamed = names.contains {
    $0.hasPrefix("charset=") && ["iso-8859-1", "latin1", "windows-1252", "cp1252"].contains($0.dropFirst(8))
  }
  return isNamed && isWindows1252(body[...]) ? utf8(fromWindows1252: body[...]) : body
}
