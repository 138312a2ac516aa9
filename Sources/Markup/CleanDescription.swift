/// Converts a calendar's description to HTML that is safe within a page.
///
/// Only these elements are written: a b strong i em u s code pre blockquote p br ul ol li h4 hr; only `a` has
/// attributes, and its address begins with http://, https://, mailto: or tel:. Other elements are unwrapped; those that
/// are not text (script, style, svg, form controls, …) are removed with their contents. Web and mail addresses in the
/// text become links.
///
/// With `isHTML` nil the text is examined, since calendars put HTML into DESCRIPTION without marking it. A description
/// with more markup than `MarkupLimits` allows is reduced to its text. The time is linear in the text.
public func cleanDescription(_ text: String, isHTML: Bool? = nil) -> String {
  let source = Array(text.utf8)
  guard isHTML ?? looksLikeHTML(source) else { return htmlFromPlainText(source) }
  let markup = reducedMarkup(source)
  // In plain text, line ends become line breaks; in HTML they are white space.
  var writer = DescriptionWriter(keepsLineEnds: isHTML == nil || markup == nil)
  walkHTML(markup ?? reducedMarkup(source, keepsTags: false) ?? [], to: &writer)
  return writer.finish()
}

/// True if the text contains a tag or an entity, as programs write them. "a <b and c" has no tag.
func looksLikeHTML(_ source: [UInt8]) -> Bool {
  var index = 0
  while index < source.count {
    switch source[index] {
    case UInt8(ascii: "<"): if isKnownTag(source, at: index) { return true }
    case UInt8(ascii: "&"):
      if isEntity(source[(index + 1)...]) { return true }
    default: break
    }
    index += 1
  }
  return false
}

/// True for what stands behind the "&" of a character's number, or of a name that programs write.
private func isEntity(_ rest: ArraySlice<UInt8>) -> Bool {
  if let number = rest.after("#") {
    return number.first != Byte.semicolon && number.prefix(8).drop(while: isNameByte).first == Byte.semicolon
  }
  return knownEntities.contains { rest.after($0) != nil }
}

private let knownEntities: [StaticString] = [
  "amp;", "lt;", "gt;", "quot;", "apos;", "nbsp;", "auml;", "ouml;", "uuml;", "szlig;", "eacute;", "ndash;", "mdash;",
  "lsquo;", "rsquo;", "ldquo;", "rdquo;", "bdquo;", "hellip;", "bull;", "euro;",
]

private let knownTags: Set<String> = [
  "a", "b", "strong", "i", "em", "u", "s", "code", "pre", "blockquote", "p", "br", "ul", "ol", "li", "h1", "h2", "h3",
  "h4", "h5", "h6", "hr", "div", "span", "font", "table", "tbody", "tr", "td", "th", "img", "html", "body", "script",
  "style", "center", "small", "sup", "sub", "html-blob", "iframe", "svg", "object", "form", "input", "math",
]

private func isKnownTag(_ source: [UInt8], at start: Int) -> Bool {
  var position = start + 1
  if position < source.count, source[position] == UInt8(ascii: "/") { position += 1 }
  let nameStart = position
  while position < source.count, isNameByte(source[position]), position - nameStart < 12 { position += 1 }
  let name = String(decoding: source[nameStart..<position].map { $0 | 0x20 }, as: UTF8.self)
  guard knownTags.contains(name), position < source.count else { return false }
  if source[position] == UInt8(ascii: ">") { return true }
  guard source[position] <= 0x20 || source[position] == UInt8(ascii: "/") else { return false }
  // After the name come attributes or the tag's end; otherwise "<b" was a comparison.
  var hasAttribute = false
  while position < source.count, source[position] != UInt8(ascii: "<") {
    switch source[position] {
    case UInt8(ascii: ">"): return hasAttribute || source[position - 1] == UInt8(ascii: "/") || name.count > 1
    case UInt8(ascii: "="): hasAttribute = true
    default: break
    }
    position += 1
  }
  return false
}

/// True for letters, digits and the hyphen; `| 0x20` leaves digits and the hyphen unchanged.
func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
    true
  default: false
  }
}
