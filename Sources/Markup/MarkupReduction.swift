import CGumbo

/// Reduces HTML for the parser: well nested, at most `MarkupLimits.nesting` deep, without elements that are not written
/// anyway, without comments, and without attributes except the addresses of links. Nil if there are too many tags. With
/// `keepsTags` false it is never nil: only text, entities and line ends remain.
///
/// The parser's time can grow with the square of the number of attributes, of open elements or of formatting elements
/// that it reopens, and it frees its tree by recursion. After this reduction it is linear in the source.
func reducedMarkup(_ source: [UInt8], keepsTags: Bool = true) -> [UInt8]? {
  var reduction = MarkupReduction(source, keepsTags: keepsTags)
  return reduction.run()
}

private struct MarkupReduction {
  private struct Element {
    var tag: GumboTag
    /// False for a formatting element inside one of the same kind.
    var isWritten: Bool
  }

  private let source: [UInt8]
  private let keepsTags: Bool
  private var reader: MarkupReader
  private var output: [UInt8] = []
  private var open: [Element] = []
  private var tags = 0
  /// The element that is being left out with its content, and the depth of elements of its kind within it.
  private var omitted: (tag: GumboTag, depth: Int)?

  init(_ source: [UInt8], keepsTags: Bool) {
    self.source = source
    self.keepsTags = keepsTags
    reader = MarkupReader(source)
    output.reserveCapacity(source.count)
  }

  mutating func run() -> [UInt8]? {
    while tags <= MarkupLimits.tags, let token = reader.next() {
      switch token {
      case .text(let range): if omitted == nil { output += source[range] }
      case .lessThan: if omitted == nil { output += "&lt;".utf8 }
      case .tag(let tag) where !keepsTags: passTag(tag)
      case .tag(let tag) where omitted != nil: passOmitted(tag)
      case .tag(let tag): if tag.isEnd { end(tag.tag) } else { start(tag) }
      }
    }
    return tags <= MarkupLimits.tags ? output : nil
  }

  // MARK: Elements left out

  private mutating func passTag(_ tag: MarkupTag) {
    if !tag.isEnd, rawTextTags.contains(tag.tag) { _ = reader.takeRawText(of: tag.tag) }
    switch htmlTag(tag.tag) {
    case .inline, .link, .unwrapped, .dropped: break
    default: output.append(Byte.newline)
    }
  }

  private mutating func passOmitted(_ tag: MarkupTag) {
    guard let (name, depth) = omitted else { return }
    if !tag.isEnd {
      tags += 1
      if !tag.isSelfClosing, rawTextTags.contains(tag.tag) { _ = reader.takeRawText(of: tag.tag) }
    }
    // These two form controls cannot be nested.
    guard tag.tag == name, !tag.isSelfClosing, name != GUMBO_TAG_SELECT && name != GUMBO_TAG_BUTTON || tag.isEnd else {
      return
    }
    let now = depth + (tag.isEnd ? -1 : 1)
    omitted = now == 0 ? nil : (name, now)
  }

  // MARK: Start tags

  private mutating func start(_ tag: MarkupTag) {
    tags += 1
    switch htmlTag(tag.tag) {
    case .unwrapped: break
    case .dropped:
      if tag.isSelfClosing || bareTags.contains(tag.tag) {
        break
      } else if rawTextTags.contains(tag.tag) {
        _ = reader.takeRawText(of: tag.tag)
      } else {
        omitted = (tag.tag, 1)
      }
    case .lineBreak: output += "<br>".utf8
    case .rule:
      _ = close([GUMBO_TAG_P], within: scope)
      output += "<hr>".utf8
    default:
      switch tag.tag {
      case GUMBO_TAG_XMP: writePreformatted(reader.takeRawText(of: GUMBO_TAG_XMP))
      case GUMBO_TAG_PLAINTEXT: writePreformatted(reader.takeRest())
      default: begin(tag)
      }
    }
  }

  private mutating func writePreformatted(_ range: Range<Int>) {
    begin(MarkupTag(tag: GUMBO_TAG_PRE, isEnd: false, isSelfClosing: false))
    appendEscaped(source[range], to: &output)
    end(GUMBO_TAG_PRE)
  }

  /// Starts an element, after ending those that it implies the end of. Formatting open in them continues in it.
  private mutating func begin(_ tag: MarkupTag) {
    var formatting: [GumboTag] = []
    switch (tag.tag, htmlTag(tag.tag)) {
    case (GUMBO_TAG_TD, _), (GUMBO_TAG_TH, _): _ = close([GUMBO_TAG_TD, GUMBO_TAG_TH], within: table)
    case (GUMBO_TAG_TR, _): _ = close([GUMBO_TAG_TR], within: table)
    case (GUMBO_TAG_TBODY, _), (GUMBO_TAG_THEAD, _), (GUMBO_TAG_TFOOT, _), (GUMBO_TAG_CAPTION, _):
      _ = close([GUMBO_TAG_TBODY, GUMBO_TAG_THEAD, GUMBO_TAG_TFOOT, GUMBO_TAG_CAPTION], within: table)
    case (GUMBO_TAG_LI, _):
      formatting = close([GUMBO_TAG_LI], within: scope + lists) + close([GUMBO_TAG_P], within: scope + lists)
    case (GUMBO_TAG_DT, _), (GUMBO_TAG_DD, _):
      formatting = close([GUMBO_TAG_DT, GUMBO_TAG_DD], within: scope + [GUMBO_TAG_DL])
      formatting += close([GUMBO_TAG_P], within: scope)
    case (_, .link): formatting = close([GUMBO_TAG_A], within: scope)
    case (_, .inline): break
    default: formatting = close([GUMBO_TAG_P], within: scope)
    }
    write(tag.tag, href: tag.href)
    writeAgain(formatting)
  }

  private mutating func writeAgain(_ formatting: [GumboTag]) {
    tags += formatting.count
    for tag in formatting { write(tag, href: nil) }
  }

  private mutating func write(_ tag: GumboTag, href: Range<Int>?) {
    guard open.count < MarkupLimits.nesting else { return }
    let isRepeated = if case .inline = htmlTag(tag) { open.contains { $0.tag == tag } } else { false }
    open.append(Element(tag: tag, isWritten: !isRepeated))
    guard !isRepeated else { return }
    output.append(UInt8(ascii: "<"))
    output += name(tag)
    if tag == GUMBO_TAG_A, let href, href.count <= MarkupLimits.hrefBytes {
      output += " href=\"".utf8
      // Entities stay as they are.
      for byte in source[href] { if byte == Byte.quote { output += "&quot;".utf8 } else { output.append(byte) } }
      output.append(Byte.quote)
    }
    output.append(UInt8(ascii: ">"))
  }

  // MARK: End tags

  private mutating func end(_ tag: GumboTag) {
    switch tag {
    case GUMBO_TAG_BR:
      tags += 1
      output += "<br>".utf8
    case GUMBO_TAG_P where !open.contains { $0.tag == tag }:
      // It still separates words.
      tags += 1
      output += "<div></div>".utf8
    case GUMBO_TAG_TABLE: _ = close([tag], within: [])
    case GUMBO_TAG_TD, GUMBO_TAG_TH, GUMBO_TAG_TR, GUMBO_TAG_TBODY, GUMBO_TAG_THEAD, GUMBO_TAG_TFOOT,
      GUMBO_TAG_CAPTION:
      _ = close([tag], within: table)
    default:
      let ended = headings.contains(tag) ? headings : [tag]
      writeAgain(close(ended, within: scope))
    }
  }

  /// Ends the innermost open element of these within the bounds, and returns the formatting elements that were open in
  /// it, outermost first. A link is not reopened, since its address would be written many times.
  private mutating func close(_ wanted: [GumboTag], within bounds: [GumboTag]) -> [GumboTag] {
    guard let index = open.lastIndex(where: { wanted.contains($0.tag) || bounds.contains($0.tag) }),
      wanted.contains(open[index].tag)
    else { return [] }
    let ended = open[index...].filter(\.isWritten)
    let formatting = open[(index + 1)...].filter { element in
      if case .inline = htmlTag(element.tag) { element.isWritten } else { false }
    }
    for element in ended.reversed() {
      output += "</".utf8
      output += name(element.tag)
      output.append(UInt8(ascii: ">"))
    }
    open.removeLast(open.count - index)
    return formatting.map(\.tag)
  }

  private func name(_ tag: GumboTag) -> UnsafeBufferPointer<UInt8> {
    let name = UnsafeRawPointer(gumbo_normalized_tagname(tag)!).assumingMemoryBound(to: UInt8.self)
    var end = name
    while end.pointee != 0 { end += 1 }
    return UnsafeBufferPointer(start: name, count: end - name)
  }
}

private let table = [GUMBO_TAG_TABLE]
private let lists = [GUMBO_TAG_UL, GUMBO_TAG_OL, GUMBO_TAG_MENU, GUMBO_TAG_DIR]
private let headings = [GUMBO_TAG_H1, GUMBO_TAG_H2, GUMBO_TAG_H3, GUMBO_TAG_H4, GUMBO_TAG_H5, GUMBO_TAG_H6]
/// The elements that an end tag inside of them cannot end.
private let scope = [GUMBO_TAG_TABLE, GUMBO_TAG_TD, GUMBO_TAG_TH, GUMBO_TAG_CAPTION]

/// Elements whose content is not markup.
private let rawTextTags = [
  GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TITLE, GUMBO_TAG_TEXTAREA, GUMBO_TAG_IFRAME, GUMBO_TAG_NOEMBED,
  GUMBO_TAG_NOFRAMES,
]

/// Elements left out without looking for an end tag: they have none, or need none.
private let bareTags = [
  GUMBO_TAG_HEAD, GUMBO_TAG_FRAMESET, GUMBO_TAG_COLGROUP, GUMBO_TAG_OPTION, GUMBO_TAG_OPTGROUP, GUMBO_TAG_IMG,
  GUMBO_TAG_IMAGE, GUMBO_TAG_INPUT, GUMBO_TAG_EMBED, GUMBO_TAG_META, GUMBO_TAG_LINK, GUMBO_TAG_BASE, GUMBO_TAG_COL,
  GUMBO_TAG_AREA, GUMBO_TAG_SOURCE, GUMBO_TAG_TRACK, GUMBO_TAG_PARAM, GUMBO_TAG_KEYGEN, GUMBO_TAG_FRAME,
  GUMBO_TAG_BASEFONT, GUMBO_TAG_BGSOUND, GUMBO_TAG_ISINDEX, GUMBO_TAG_MENUITEM,
]
