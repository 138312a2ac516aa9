/// A description from a calendar as HTML that is safe to put into a page.
///
/// Only these elements are written: a b strong i em u s code pre blockquote p br ul ol li h4 hr; only `a` has
/// attributes, and its address begins with http://, https://, mailto: or tel:. Other elements are unwrapped, those that
/// are no text (script, style, svg, form controls, …) go with all they contain. Web and mail addresses in the text
/// become links.
///
/// With `isHTML` nil the text decides: calendars put HTML into DESCRIPTION without saying so. A description with more
/// markup than `MarkupLimits` allows loses its markup, and keeps its text. The work is linear in the text.
public func cleanDescription(_ text: String, isHTML: Bool? = nil) -> String {
  let source = Array(text.utf8)
  guard isHTML ?? looksLikeHTML(source) else { return htmlFromPlainText(source) }
  let markup = reducedMarkup(source)
  // Where nobody says that it is HTML, line ends are meant as such; in HTML they are white space.
  var writer = DescriptionWriter(keepsLineEnds: isHTML == nil || markup == nil)
  walkHTML(markup ?? reducedMarkup(source, keepsTags: false) ?? []) { event in writer.write(event) }
  return writer.finish()
}

/// Whether a text contains a tag or an entity that a program must have put there. "a <b and c" is no tag.
func looksLikeHTML(_ source: [UInt8]) -> Bool {
  var index = 0
  while index < source.count {
    switch source[index] {
    case UInt8(ascii: "<"): if isKnownTag(source, at: index) { return true }
    case UInt8(ascii: "&"):
      if knownEntities.contains(where: { source[(index + 1)...].after($0) != nil }) { return true }
    default: break
    }
    index += 1
  }
  return false
}

private let knownEntities: [StaticString] = ["amp;", "lt;", "gt;", "quot;", "nbsp;", "#39;"]

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
  // What follows the name must be the tag's end or attributes, or "<b" was a comparison.
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

/// Letters, digits and the hyphen; `| 0x20` keeps digits and the hyphen as they are.
func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
    true
  default: false
  }
}
