import CGumbo

/// A tag with the only attribute in use.
struct MarkupTag {
  var tag: GumboTag
  var isEnd: Bool
  var isSelfClosing: Bool
  /// The range of the first href's value, with its entities.
  var href: Range<Int>?
}

enum MarkupToken {
  case text(Range<Int>)
  /// A "<" that does not begin a tag or comment.
  case lessThan
  case tag(MarkupTag)
}

/// Splits HTML into tags and text as the standard's tokenizer does, without comments. It never backtracks, so its time
/// is linear.
struct MarkupReader {
  private let source: [UInt8]
  private var index = 0

  init(_ source: [UInt8]) {
    self.source = source
  }

  mutating func next() -> MarkupToken? {
    while index < source.count {
      guard source[index] == UInt8(ascii: "<") else { return .text(take(while: { $0 != UInt8(ascii: "<") })) }
      index += 1
      guard index < source.count else { return .lessThan }
      switch source[index] {
      case UInt8(ascii: "!"): skipComment()
      case UInt8(ascii: "?"): skipPastTagEnd()
      case UInt8(ascii: "/"):
        index += 1
        guard index < source.count else { return nil }
        guard isLetter(source[index]) else {
          skipPastTagEnd()
          continue
        }
        return readTag(isEnd: true).map { .tag($0) }
      case let byte:
        guard isLetter(byte), !isAddress(source[index...]) else { return .lessThan }
        return readTag(isEnd: false).map { .tag($0) }
      }
    }
    return nil
  }

  /// True where an address stands in brackets, as programs write it behind a name: Ada <ada@example.org>.
  private func isAddress(_ rest: ArraySlice<UInt8>) -> Bool {
    if (rest.after("http://") ?? rest.after("https://") ?? rest.after("mailto:")) != nil { return true }
    for byte in rest {
      if byte == UInt8(ascii: "@") { return true }
      if isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") {
        return false
      }
    }
    return false
  }

  /// The text up to the end tag of an element whose content is not markup; without such a tag, all the rest.
  mutating func takeRawText(of tag: GumboTag) -> Range<Int> {
    let name = Array(String(cString: gumbo_normalized_tagname(tag)).utf8)
    let start = index
    while index < source.count {
      guard source[index] == UInt8(ascii: "<"), isEndTag(name) else {
        index += 1
        continue
      }
      let end = index
      index += 2
      _ = readTag(isEnd: true)
      return start..<end
    }
    return start..<index
  }

  mutating func takeRest() -> Range<Int> {
    take { _ in true }
  }

  private func isEndTag(_ name: [UInt8]) -> Bool {
    let end = index + 2 + name.count
    guard end < source.count, source[index + 1] == UInt8(ascii: "/") else { return false }
    for (offset, letter) in name.enumerated() where source[index + 2 + offset] | 0x20 != letter { return false }
    return isSpace(source[end]) || source[end] == UInt8(ascii: "/") || source[end] == UInt8(ascii: ">")
  }

  // MARK: Tags

  /// Reads a tag from its name to after its ">"; nil if it is not closed, after which there are no further tags.
  private mutating func readTag(isEnd: Bool) -> MarkupTag? {
    let name = take { !isSpace($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
    var result = MarkupTag(tag: gumboTag(source[name]), isEnd: isEnd, isSelfClosing: false)
    while index < source.count {
      switch source[index] {
      case UInt8(ascii: ">"):
        index += 1
        result.isSelfClosing = source[index - 2] == UInt8(ascii: "/") && result.isSelfClosing
        return result
      case UInt8(ascii: "/"):
        index += 1
        result.isSelfClosing = true
      case let byte where isSpace(byte): index += 1
      default:
        result.isSelfClosing = false
        let (name, value) = readAttribute()
        if result.href == nil, name.count == 4, source[name].after("href") != nil { result.href = value }
      }
    }
    return nil
  }

  private mutating func readAttribute() -> (name: Range<Int>, value: Range<Int>) {
    let start = index
    // A "=" at the beginning belongs to the name.
    index += 1
    _ = take { !isSpace($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "=") }
    let name = start..<index
    _ = take(while: isSpace)
    guard index < source.count, source[index] == UInt8(ascii: "=") else { return (name, index..<index) }
    index += 1
    _ = take(while: isSpace)
    guard index < source.count else { return (name, index..<index) }
    let quote = source[index]
    guard quote == Byte.quote || quote == UInt8(ascii: "'") else {
      return (name, take { !isSpace($0) && $0 != UInt8(ascii: ">") })
    }
    index += 1
    let value = take { $0 != quote }
    index = min(index + 1, source.count)
    return (name, value)
  }

  // MARK: Comments

  private mutating func skipComment() {
    guard source[index...].after("!--") != nil else { return skipPastTagEnd() }
    index += 3
    // "<!-->" and "<!--->" are complete comments.
    for end: StaticString in [">", "->"] {
      if let rest = source[index...].after(end) {
        index = rest.startIndex
        return
      }
    }
    while index < source.count {
      if source[index] == UInt8(ascii: "-"), let rest = source[index...].after("-->") ?? source[index...].after("--!>")
      {
        index = rest.startIndex
        return
      }
      index += 1
    }
  }

  private mutating func skipPastTagEnd() {
    _ = take { $0 != UInt8(ascii: ">") }
    index = min(index + 1, source.count)
  }

  private mutating func take(while isTaken: (UInt8) -> Bool) -> Range<Int> {
    let start = index
    while index < source.count, isTaken(source[index]) { index += 1 }
    return start..<index
  }
}

private func isLetter(_ byte: UInt8) -> Bool {
  byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
}

private func isSpace(_ byte: UInt8) -> Bool {
  byte == Byte.space || byte == Byte.tab || byte == Byte.newline || byte == Byte.carriageReturn || byte == 0x0C
}

private func gumboTag(_ name: ArraySlice<UInt8>) -> GumboTag {
  guard name.count <= 16 else { return GUMBO_TAG_UNKNOWN }
  let lower = name.map { byte in
    CChar(bitPattern: byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte)
  }
  return gumbo_tagn_enum(lower, UInt32(lower.count))
}
