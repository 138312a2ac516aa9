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

/// True if the character before the index is a letter or digit. Outside of ASCII, all characters count as letters,
/// except the block "General Punctuation" (quotes, dashes) and some marks.
private func isLetter(before index: Int, in text: [UInt8]) -> Bool {
  let byte = text[index - 1]
  guard byte >= 0x80 else { return isNameByte(byte) && byte != UInt8(ascii: "-") }
  if index >= 3, text[index - 3] == 0xE2, text[index - 2] == 0x80 { return false }
  // No-break space, « and ».
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

/// The end of an address without the punctuation of the sentence around it. A closing bracket belongs to the address if
/// it was opened there, as in https://en.wikipedia.org/wiki/Bell_(instrument).
private func withoutPunctuation(_ text: [UInt8], _ range: Range<Int>) -> Int {
  var (round, square) = bracketBalance(text, range)
  var end = range.upperBound
  while end > range.lowerBound {
    switch text[end - 1] {
    case UInt8(ascii: "."), Byte.comma, Byte.semicolon, Byte.colon, UInt8(ascii: "!"), UInt8(ascii: "?"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"):
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
      // “ ” ‘ ’ … and » in UTF-8.
      if end - 3 > range.lowerBound, text[end - 3] == 0xE2, text[end - 2] == 0x80,
        [0x98, 0x99, 0x9C, 0x9D, 0xA6].contains(text[end - 1])
      {
        end -= 3
      } else if end - 3 > range.lowerBound, isInvisible(text[end - 3..<end]) {
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

/// True for invisible characters that programs leave after a copied address: U+200B to U+200F, U+2028 to U+202E, U+2060
/// to U+2069, and the byte order mark (three bytes each).
private func isInvisible(_ character: ArraySlice<UInt8>) -> Bool {
  let last = character.last!
  return switch (character.first!, character.dropFirst().first!) {
  case (0xE2, 0x80): (0x8B...0x8F).contains(last) || (0xA8...0xAE).contains(last)
  case (0xE2, 0x81): (0xA0...0xA9).contains(last)
  case (0xEF, 0xBB): last == 0xBF
  default: false
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
