/// An address as it may stand in an href, or nil if it may not: http and https with a host, mailto and tel.
func safeAddress(_ address: String) -> String? {
  var bytes = trimmed(ArraySlice(address.utf8))
  // A browser leaves tabs and line ends out of an address, wherever they are: "java\tscript:" must not pass.
  guard !bytes.isEmpty, bytes.count <= DescriptionLimits.addressBytes,
    !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
  else { return nil }
  let scheme = uppercased(bytes.prefix(8))
  if scheme.hasPrefix("HTTP://") || scheme.hasPrefix("HTTPS://") {
    let host = bytes.drop { $0 != UInt8(ascii: "/") }.dropFirst(2).first
    guard let host, isNameByte(host) || host >= 0x80 || host == UInt8(ascii: "[") else { return nil }
  } else if scheme.hasPrefix("MAILTO:") || scheme.hasPrefix("TEL:") {
    guard bytes.last != Byte.colon else { return nil }
  } else {
    return nil
  }
  if bytes.contains(Byte.space) { bytes = ArraySlice(bytes.flatMap { $0 == Byte.space ? Array("%20".utf8) : [$0] }) }
  return String(decoding: bytes, as: UTF8.self)
}

/// An address that begins with http:// or https://, or nil.
func webAddress(_ address: String) -> String? {
  guard let safe = safeAddress(address), uppercased(ArraySlice(safe.utf8).prefix(4)) == "HTTP" else { return nil }
  return safe
}

/// The attributes of a link that leads out of the page: the other page learns nothing of ours.
func linkAttributes(_ address: String) -> String {
  var escaped: [UInt8] = []
  appendEscaped(ArraySlice(address.utf8), to: &escaped)
  return " href=\"\(String(decoding: escaped, as: UTF8.self))\" rel=\"noopener noreferrer nofollow\" target=\"_blank\""
}

/// Appends text with &, <, >, " and ' as entities, and without control characters but tab and line ends.
func appendEscaped(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
  for byte in text {
    switch byte {
    case UInt8(ascii: "&"): output += "&amp;".utf8
    case UInt8(ascii: "<"): output += "&lt;".utf8
    case UInt8(ascii: ">"): output += "&gt;".utf8
    case Byte.quote: output += "&quot;".utf8
    case UInt8(ascii: "'"): output += "&#39;".utf8
    case 0x20..., Byte.tab, Byte.newline: output.append(byte)
    default: break
    }
  }
}

/// Appends text as `appendEscaped` does, with web and mail addresses as links.
func appendLinked(_ text: [UInt8], to output: inout [UInt8]) {
  var written = 0
  var index = 0
  while index < text.count {
    guard let link = link(in: text, at: index, after: written) else {
      index += 1
      continue
    }
    appendEscaped(text[written..<link.range.lowerBound], to: &output)
    output += "<a\(linkAttributes(link.address))>".utf8
    appendEscaped(text[link.range], to: &output)
    output += "</a>".utf8
    written = link.range.upperBound
    index = written
  }
  appendEscaped(text[written...], to: &output)
}

/// The web address that begins at an index, or the mail address whose "@" is there; `floor` is where the last one
/// ended.
private func link(in text: [UInt8], at index: Int, after floor: Int) -> (range: Range<Int>, address: String)? {
  switch text[index] {
  case UInt8(ascii: "@"): return mailLink(in: text, at: index, after: floor)
  case UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "w"), UInt8(ascii: "W"): break
  default: return nil
  }
  if index > floor, isLetter(before: index, in: text) { return nil }
  let head = uppercased(text[index...].prefix(8))
  let prefix: Int
  if head.hasPrefix("HTTPS://") {
    prefix = 8
  } else if head.hasPrefix("HTTP://") {
    prefix = 7
  } else if head.hasPrefix("WWW.") {
    prefix = 4
  } else {
    return nil
  }
  var end = index + prefix
  while end < text.count, isAddressByte(text, end) { end += 1 }
  end = withoutPunctuation(text, index..<end)
  guard end > index + prefix else { return nil }
  var address = String(decoding: text[index..<end], as: UTF8.self)
  if prefix == 4 {
    // "www." alone is no host.
    guard text[index + 4..<end].contains(UInt8(ascii: ".")) else { return nil }
    address = "https://" + address
  }
  return safeAddress(address).map { (index..<end, $0) }
}

/// Whether a letter or digit ends here. Of the characters outside ASCII, those of the block "General Punctuation"
/// (quotes, dashes) are none.
private func isLetter(before index: Int, in text: [UInt8]) -> Bool {
  let byte = text[index - 1]
  guard byte >= 0x80 else { return isNameByte(byte) && byte != UInt8(ascii: "-") }
  if index >= 3, text[index - 3] == 0xE2, text[index - 2] == 0x80 { return false }
  // A no-break space, « and ».
  return !(index >= 2 && text[index - 2] == 0xC2 && [0xA0, 0xAB, 0xBB].contains(byte))
}

private func isAddressByte(_ text: [UInt8], _ index: Int) -> Bool {
  switch text[index] {
  case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), Byte.quote: return false
  // A no-break space, which programs put between words.
  case 0xC2: return index + 1 >= text.count || text[index + 1] != 0xA0
  default: return true
  }
}

/// Where an address ends when the punctuation of the sentence around it is left out. A closing bracket belongs to the
/// address if it was opened there, as in https://en.wikipedia.org/wiki/Bell_(instrument).
private func withoutPunctuation(_ text: [UInt8], _ range: Range<Int>) -> Int {
  var end = range.upperBound
  while end > range.lowerBound {
    switch text[end - 1] {
    case UInt8(ascii: "."), Byte.comma, Byte.semicolon, Byte.colon, UInt8(ascii: "!"), UInt8(ascii: "?"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"):
      end -= 1
    case UInt8(ascii: ")"):
      if isOpened(text, range.lowerBound..<end, UInt8(ascii: "("), UInt8(ascii: ")")) { return end }
      end -= 1
    case UInt8(ascii: "]"):
      if isOpened(text, range.lowerBound..<end, UInt8(ascii: "["), UInt8(ascii: "]")) { return end }
      end -= 1
    default:
      // “ ” ‘ ’ … and » in UTF-8.
      if end - 3 > range.lowerBound, text[end - 3] == 0xE2, text[end - 2] == 0x80,
        [0x98, 0x99, 0x9C, 0x9D, 0xA6].contains(text[end - 1])
      {
        end -= 3
      } else if end - 2 > range.lowerBound, text[end - 2] == 0xC2, text[end - 1] == 0xBB {
        end -= 2
      } else {
        return end
      }
    }
  }
  return end
}

/// Whether a range has at least as many opening as closing brackets.
private func isOpened(_ text: [UInt8], _ range: Range<Int>, _ opening: UInt8, _ closing: UInt8) -> Bool {
  var balance = 0
  for byte in text[range] {
    if byte == opening { balance += 1 } else if byte == closing { balance -= 1 }
  }
  return balance >= 0
}

private func mailLink(in text: [UInt8], at index: Int, after floor: Int) -> (range: Range<Int>, address: String)? {
  func isLocal(_ byte: UInt8) -> Bool {
    isNameByte(byte) || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "%"), UInt8(ascii: "+")].contains(byte)
  }
  var start = index
  while start > floor, index - start < 64, isLocal(text[start - 1]) { start -= 1 }
  while start < index, text[start] == UInt8(ascii: ".") { start += 1 }
  var end = index + 1
  while end < text.count, end - index < 255, isNameByte(text[end]) || text[end] == UInt8(ascii: ".") { end += 1 }
  while end > index + 1, text[end - 1] == UInt8(ascii: ".") || text[end - 1] == UInt8(ascii: "-") { end -= 1 }
  let labels = text[index + 1..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  guard start < index, labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }), labels.last!.count >= 2,
    labels.last!.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })
  else { return nil }
  return safeAddress("mailto:" + String(decoding: text[start..<end], as: UTF8.self)).map { (start..<end, $0) }
}
