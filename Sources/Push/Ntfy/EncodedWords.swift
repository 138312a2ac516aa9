import Crypto

/// Texts in header fields that are more than ASCII: encoded words (RFC 2047), as mail libraries write them.
enum EncodedWords {
  /// The text with all encoded words of UTF-8 or ASCII decoded; anything else stays as it is.
  static func decoded(_ text: String) -> String {
    guard text.contains("=?") else { return text }
    var result = ""
    var rest = Substring(text)
    var isBehindWord = false
    while let start = rest.firstRange(of: "=?")?.lowerBound {
      let before = rest[..<start]
      guard let word = Word(rest[start...]) else {
        result += rest[...start]
        rest = rest[rest.index(after: start)...]
        isBehindWord = false
        continue
      }
      // Spaces between two encoded words do not count (section 6.2).
      if !(isBehindWord && before.allSatisfy { $0 == " " || $0 == "\t" }) { result += before }
      result += word.text
      rest = word.rest
      isBehindWord = true
    }
    return result + rest
  }

  /// One encoded word, `=?charset?encoding?text?=`, and what follows it.
  private struct Word {
    let text: String
    let rest: Substring

    init?(_ start: Substring) {
      let parts = start.dropFirst(2).split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, ["utf-8", "us-ascii"].contains(parts[0].lowercased()), parts[3].hasPrefix("=") else {
        return nil
      }
      let bytes: [UInt8]? =
        switch parts[1].lowercased() {
        case "b": Base64.bytes(String(parts[2]))
        case "q": Self.quoted(parts[2])
        default: nil
        }
      guard let bytes, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self.text = text
      rest = parts[3].dropFirst()
    }

    /// The "Q" encoding (section 4.2).
    private static func quoted(_ text: Substring) -> [UInt8]? {
      var bytes: [UInt8] = []
      var rest = text.utf8.makeIterator()
      func digit(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue.map { UInt8($0) } }
      }
      while let byte = rest.next() {
        switch byte {
        case UInt8(ascii: "_"): bytes.append(32)
        case UInt8(ascii: "="):
          guard let high = digit(rest.next()), let low = digit(rest.next()) else { return nil }
          bytes.append(high << 4 | low)
        default: bytes.append(byte)
        }
      }
      return bytes
    }
  }
}

/// Base64 of both alphabets, with and without padding (RFC 4648 sections 4 and 5).
enum Base64 {
  /// Nil for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    var decoder = Base64Decoder()
    let other = [UInt8(ascii: "-"): UInt8(ascii: "+"), UInt8(ascii: "_"): UInt8(ascii: "/")]
    let plain = text.utf8.map { other[$0] ?? $0 }
    return decoder.decode(plain).flatMap { decoder.isComplete ? $0 : nil }
  }
}
