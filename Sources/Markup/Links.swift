/// The attributes of a link to another site, which is sent no referrer and no reference to this page's window.
func linkAttributes(_ address: String) -> String {
  var escaped: [UInt8] = []
  appendEscaped(ArraySlice(address.utf8), to: &escaped)
  return " href=\"\(String(decoding: escaped, as: UTF8.self))\" rel=\"noopener noreferrer nofollow\" target=\"_blank\""
}

/// Appends text with &, <, >, " and ' as entities, and without control characters except tab and line ends.
func appendEscaped(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
  for byte in text {
    switch byte {
    case UInt8(ascii: "&"): output += "&amp;".utf8
    case UInt8(ascii: "<"): output += "&lt;".utf8
    case UInt8(ascii: ">"): output += "&gt;".utf8
    case Byte.quote: output += "&quot;".utf8
    case UInt8(ascii: "'"): output += "&#39;".utf8
    case 0x20...0x7E, 0x80..., Byte.tab, Byte.newline: output.append(byte)
    default: break
    }
  }
}

/// Appends text as `appendEscaped` does, with web and mail addresses as links.
///
/// The time is linear in the text: no byte is part of two candidates for a web address, and a mail address is looked
/// for only between one "@" and the next.
func appendLinked(_ text: [UInt8], to output: inout [UInt8]) {
  var written = 0
  var index = 0
  while index < text.count {
    switch candidate(in: text, at: index, after: written) {
    case .none: index += 1
    case .rejected(let end): index = end
    case .link(let range, let address):
      appendEscaped(text[written..<range.lowerBound], to: &output)
      output += "<a\(linkAttributes(address))>".utf8
      appendEscaped(text[range], to: &output)
      output += "</a>".utf8
      written = range.upperBound
      index = written
    }
  }
  appendEscaped(text[written...], to: &output)
}

private enum Candidate {
  case none
  /// Not an address, and nothing before this index is part of one.
  case rejected(end: Int)
  case link(Range<Int>, address: String)
}

/// The web address that begins at an index, or the mail address whose "@" is there; `floor` is the end of the last one.
private func candidate(in text: [UInt8], at index: Int, after floor: Int) -> Candidate {
  switch text[index] {
  case UInt8(ascii: "@"): return mailLink(in: text, at: index, after: floor)
  case UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "w"), UInt8(ascii: "W"): break
  default: return .none
  }
  if index > floor, isLetter(before: index, in: text) { return .none }
  let rest = text[index...]
  let isBareHost = rest.after("www.") != nil
  guard let start = (rest.after("https://") ?? rest.after("http://") ?? rest.after("www."))?.startIndex else {
    return .none
  }
  var runEnd = start
  while runEnd < text.count, isAddressByte(text, runEnd) { runEnd += 1 }
  let end = withoutPunctuation(text, index..<runEnd)
  guard end > start, end - index <= MarkupLimits.addressBytes else { return .rejected(end: runEnd) }
  var address = String(decoding: text[index..<end], as: UTF8.self)
  if isBareHost {
    // "www." alone is not a host.
    guard text[start..<end].contains(UInt8(ascii: ".")) else { return .rejected(end: runEnd) }
    address = "https://" + address
  }
  return safeAddress(address).map { .link(index..<end, address: $0) } ?? .rejected(end: runEnd)
}

/// The character that ends before an index, and how many bytes it has.
private func character(before index: Int, in text: [UInt8]) -> (scalar: Unicode.Scalar, bytes: Int) {
  var start = index - 1
  while start > 0, index - start < 4, text[start] & 0xC0 == 0x80 { start -= 1 }
  return (String(decoding: text[start..<index], as: UTF8.self).unicodeScalars.last!, index - start)
}

private func isLetter(before index: Int, in text: [UInt8]) -> Bool {
  let byte = text[index - 1]
  guard byte >= 0x80 else { return isNameByte(byte) && byte != UInt8(ascii: "-") }
  return character(before: index, in: text).scalar.properties.isAlphabetic
}

private func isAddressByte(_ text: [UInt8], _ index: Int) -> Bool {
  func next(_ offset: Int) -> UInt8 { index + offset < text.count ? text[index + offset] : 0 }
  return switch text[index] {
  case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), Byte.quote: false
  // The middle of a link as Meetup writes it: [https://example.org](https://example.org).
  case UInt8(ascii: "]"): next(1) != UInt8(ascii: "(")
  // The other spaces, which programs put between words: U+00A0, U+2000 to U+200B, U+2028, U+2029 and U+202F.
  case 0xC2: next(1) != 0xA0
  case 0xE2: next(1) != 0x80 || !((0x80...0x8B).contains(next(2)) || [0xA8, 0xA9, 0xAF].contains(next(2)))
  default: true
  }
}

/// The end of an address without the punctuation of the sentence around it. A closing bracket belongs to the address if
/// it was opened there, as in https://en.wikipedia.org/wiki/Bell_(instrument).
private func withoutPunctuation(_ text: [UInt8], _ range: Range<Int>) -> Int {
  var (round, square) = bracketBalance(text, range)
  var end = range.upperBound
  while end > range.lowerBound {
    switch text[end - 1] {
    case UInt8(ascii: "."), Byte.comma, Byte.semicolon, Byte.colon, UInt8(ascii: "!"), UInt8(ascii: "?"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      end -= 1
    case UInt8(ascii: ")"):
      if round >= 0 { return end }
      round += 1
      end -= 1
    case UInt8(ascii: "]"):
      if square >= 0 { return end }
      square += 1
      end -= 1
    default:
      guard text[end - 1] >= 0x80 else { return end }
      let (scalar, bytes) = character(before: end, in: text)
      guard end - bytes > range.lowerBound, isOrnament(scalar) else { return end }
      end -= bytes
    }
  }
  return end
}

/// True for quotation marks, dashes and emoji, and for what cannot be seen, which programs leave behind an address.
private func isOrnament(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .initialPunctuation, .finalPunctuation, .openPunctuation, .closePunctuation, .dashPunctuation,
    .otherPunctuation, .otherSymbol, .modifierSymbol, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator:
    true
  // An emoji in colours ends with it.
  default: scalar == "\u{FE0F}"
  }
}

/// The number of opened minus closed brackets in a range.
private func bracketBalance(_ text: [UInt8], _ range: Range<Int>) -> (round: Int, square: Int) {
  var (round, square) = (0, 0)
  for byte in text[range] {
    switch byte {
    case UInt8(ascii: "("): round += 1
    case UInt8(ascii: ")"): round -= 1
    case UInt8(ascii: "["): square += 1
    case UInt8(ascii: "]"): square -= 1
    default: break
    }
  }
  return (round, square)
}

private func mailLink(in text: [UInt8], at index: Int, after floor: Int) -> Candidate {
  var start = index
  while start > floor, isLocal(text[start - 1]) {
    // RFC 5321, section 4.5.3.1: 64 bytes before the "@", 255 after it. A part of a longer address would be another
    // address.
    guard index - start < 64 else { return .none }
    start -= 1
  }
  // A name in the Fediverse, @space@social.example, receives no mail.
  if start > 0, text[start - 1] == UInt8(ascii: "@") { return .none }
  while start < index, text[start] == UInt8(ascii: ".") { start += 1 }
  var end = index + 1
  while end < text.count, isNameByte(text[end]) || text[end] == UInt8(ascii: ".") {
    guard end - index <= 255 else { return .none }
    end += 1
  }
  while end > index + 1, text[end - 1] == UInt8(ascii: ".") || text[end - 1] == UInt8(ascii: "-") { end -= 1 }
  let labels = text[index + 1..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  guard start < index, labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }), labels.last!.count >= 2,
    labels.last!.allSatisfy({ $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })
  else { return .none }
  return safeAddress("mailto:" + String(decoding: text[start..<end], as: UTF8.self)).map {
    .link(start..<end, address: $0)
  } ?? .none
}

private func isLocal(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "%"), UInt8(ascii: "+"): true
  default: isNameByte(byte)
  }
}
