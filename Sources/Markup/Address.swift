/// The address if it is safe in an href, else nil: http and https with a host, mailto and tel.
func safeAddress(_ address: String) -> String? {
  let bytes = trimmed(ArraySlice(address.utf8))
  // Browsers remove tabs and line ends anywhere in an address: "java\tscript:" must not pass.
  guard !bytes.isEmpty, bytes.count <= MarkupLimits.addressBytes,
    !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
  else { return nil }
  let safe: ArraySlice<UInt8>?
  if let rest = bytes.after("http://") ?? bytes.after("https://") {
    safe = rest.first.map(canBeginHost) == true && isWellFormedHost(rest) ? bytes : nil
  } else if let rest = bytes.after("mailto:") {
    safe = rest.isEmpty ? nil : withHarmlessHeaders(bytes)
  } else if let rest = bytes.after("tel:") {
    safe = !rest.isEmpty && rest.allSatisfy(isTelephoneByte) ? bytes : nil
  } else {
    safe = nil
  }
  guard let safe, safe.contains(Byte.space) else { return safe.map { String(decoding: $0, as: UTF8.self) } }
  return String(decoding: safe.flatMap { $0 == Byte.space ? Array("%20".utf8) : [$0] }, as: UTF8.self)
}

/// An address that begins with http:// or https://, or nil.
public func webAddress(_ address: String) -> String? {
  guard let safe = safeAddress(address), ArraySlice(safe.utf8).after("http") != nil else { return nil }
  return safe
}

private func canBeginHost(_ byte: UInt8) -> Bool {
  isNameByte(byte) || byte >= 0x80 || byte == UInt8(ascii: "[")
}

/// True if no character before the path can make the address look like another one: one that changes the direction of
/// text, is invisible, or looks like "//". Valid names have no such character (RFC 5892).
private func isWellFormedHost(_ rest: ArraySlice<UInt8>) -> Bool {
  let host = rest.prefix { byte in
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), Byte.backslash: false
    default: true
    }
  }
  var canJoin = false
  for scalar in String(decoding: host, as: UTF8.self).unicodeScalars {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: guard canJoin else { return false }
    // Persian and Indian names need the two joiners; other format characters change the text's direction or are
    // invisible.
    case .format: guard canJoin, scalar == "\u{200C}" || scalar == "\u{200D}" else { return false }
    case .control, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      return false
    default: guard scalar != "\u{FFFD}" else { return false }
    }
    canJoin = !scalar.isASCII || isNameByte(UInt8(scalar.value))
  }
  return true
}

/// The characters of RFC 3966 without "*", "#" and "%": telephones have run codes such as *#06# from links.
private func isTelephoneByte(_ byte: UInt8) -> Bool {
  switch byte {
  case Byte.space, UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"), Byte.semicolon,
    Byte.equals:
    true
  default: isNameByte(byte)
  }
}

/// A mailto address with only those headers that RFC 6068 (section 4) calls safe; programs have attached files because
/// a link demanded it. A line end is allowed in the body only. Nil if the part before the headers has one.
private func withHarmlessHeaders(_ address: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
  let parts = address.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
  guard !hasEncodedLineEnd(parts[0]) else { return nil }
  guard parts.count == 2 else { return address }
  let kept = parts[1].split(separator: UInt8(ascii: "&")).filter { header in
    header.after("body=") != nil || (header.after("subject=") != nil && !hasEncodedLineEnd(header))
  }
  let headers = kept.joined(separator: [UInt8(ascii: "&")])
  return kept.isEmpty ? parts[0] : parts[0] + [UInt8(ascii: "?")] + headers
}

private func hasEncodedLineEnd(_ text: ArraySlice<UInt8>) -> Bool {
  text.indices.contains {
    text[$0] == UInt8(ascii: "%") && (text[$0...].after("%0a") ?? text[$0...].after("%0d")) != nil
  }
}

extension ArraySlice<UInt8> {
  /// The rest after a word (given in lower case, matched in any case); nil if the slice does not begin with it.
  func after(_ word: StaticString) -> ArraySlice<UInt8>? {
    guard count >= word.utf8CodeUnitCount else { return nil }
    var position = startIndex
    let isEqual = word.withUTF8Buffer { letters in
      for letter in letters {
        let byte = self[position]
        let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
        guard (isCapital ? byte | 0x20 : byte) == letter else { return false }
        position += 1
      }
      return true
    }
    return isEqual ? self[position...] : nil
  }
}
