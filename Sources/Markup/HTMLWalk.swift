import CGumbo

/// The events of a walk through a tree of HTML.
protocol HTMLWriter {
  mutating func write(text: [UInt8])
  /// - Parameter address: the href attribute of an `a`, with its entities decoded.
  mutating func open(_ tag: HTMLTag, _ address: String?)
  mutating func close(_ tag: HTMLTag)
}

/// The treatment of an element.
enum HTMLTag: Equatable {
  /// Written under this name.
  case inline(StaticName)
  case block(StaticName)
  case link
  case item
  /// h5 and h6: a paragraph in bold.
  case smallHeading
  case lineBreak
  case rule
  /// Not written; its content is separated from the text before and after by a line break.
  case separate
  /// Not written; the text after it is a separate word.
  case cell
  /// Not written.
  case unwrapped
  /// Removed with its content.
  case dropped

  /// The elements that may be written.
  enum StaticName: String {
    case b, strong, i, em, u, s, code, pre, blockquote, p, ul, ol, h4
  }
}

/// Parses a fragment of HTML as a browser does, and tells a writer its content in order, without subtrees that are
/// dropped.
///
/// The source must come from `reducedMarkup` or from this program: the parser frees its tree by recursion, and its time
/// grows faster than a source with many attributes or open elements.
func walkHTML(_ source: [UInt8], to writer: inout some HTMLWriter) {
  var options = cgumbo_default_options()
  options.fragment_context = GUMBO_TAG_DIV
  options.max_errors = 0
  source.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return }
    base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { text in
      guard let output = gumbo_parse_with_options(&options, text, buffer.count) else { return }
      defer { gumbo_destroy_output(&options, output) }
      walk(output.pointee.root, to: &writer)
    }
  }
}

private struct OpenNode {
  var children: GumboVector
  var next: UInt32
  var tag: HTMLTag
}

private func walk(_ root: UnsafeMutablePointer<GumboNode>, to writer: inout some HTMLWriter) {
  var stack = [OpenNode(children: root.pointee.v.element.children, next: 0, tag: .unwrapped)]
  while let top = stack.last {
    guard top.next < top.children.length else {
      stack.removeLast()
      if !stack.isEmpty { writer.close(top.tag) }
      continue
    }
    stack[stack.count - 1].next += 1
    let node = top.children.data[Int(top.next)]!.assumingMemoryBound(to: GumboNode.self)
    switch node.pointee.type {
    case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
      let text = node.pointee.v.text.text!
      writer.write(text: Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
    case GUMBO_NODE_ELEMENT:
      let element = node.pointee.v.element
      let tag = element.tag_namespace == GUMBO_NAMESPACE_HTML ? htmlTag(element.tag) : .dropped
      guard tag != .dropped else { continue }
      writer.open(tag, tag == .link ? address(element) : nil)
      stack.append(OpenNode(children: element.children, next: 0, tag: tag))
    default: break
    }
  }
}

private func address(_ element: GumboElement) -> String? {
  var attributes = element.attributes
  guard let attribute = gumbo_get_attribute(&attributes, "href") else { return nil }
  return String(cString: attribute.pointee.value)
}

private func strlen(_ text: UnsafePointer<CChar>) -> Int {
  var end = text
  while end.pointee != 0 { end += 1 }
  return end - text
}

func htmlTag(_ tag: GumboTag) -> HTMLTag {
  htmlTags[tag.rawValue] ?? (tag == GUMBO_TAG_UNKNOWN ? .unwrapped : .dropped)
}

/// Every element whose content is kept. (Elements that the parser does not know are unwrapped.)
private let htmlTags: [UInt32: HTMLTag] = {
  var tags: [UInt32: HTMLTag] = [
    GUMBO_TAG_A.rawValue: .link, GUMBO_TAG_LI.rawValue: .item, GUMBO_TAG_BR.rawValue: .lineBreak,
    GUMBO_TAG_HR.rawValue: .rule, GUMBO_TAG_B.rawValue: .inline(.b), GUMBO_TAG_STRONG.rawValue: .inline(.strong),
    GUMBO_TAG_I.rawValue: .inline(.i), GUMBO_TAG_EM.rawValue: .inline(.em), GUMBO_TAG_U.rawValue: .inline(.u),
    GUMBO_TAG_INS.rawValue: .inline(.u), GUMBO_TAG_S.rawValue: .inline(.s), GUMBO_TAG_STRIKE.rawValue: .inline(.s),
    GUMBO_TAG_DEL.rawValue: .inline(.s), GUMBO_TAG_CODE.rawValue: .inline(.code),
    GUMBO_TAG_TT.rawValue: .inline(.code), GUMBO_TAG_KBD.rawValue: .inline(.code),
    GUMBO_TAG_SAMP.rawValue: .inline(.code), GUMBO_TAG_PRE.rawValue: .block(.pre),
    GUMBO_TAG_XMP.rawValue: .block(.pre), GUMBO_TAG_LISTING.rawValue: .block(.pre),
    GUMBO_TAG_PLAINTEXT.rawValue: .block(.pre), GUMBO_TAG_BLOCKQUOTE.rawValue: .block(.blockquote),
    GUMBO_TAG_P.rawValue: .block(.p), GUMBO_TAG_UL.rawValue: .block(.ul), GUMBO_TAG_MENU.rawValue: .block(.ul),
    GUMBO_TAG_DIR.rawValue: .block(.ul), GUMBO_TAG_OL.rawValue: .block(.ol), GUMBO_TAG_H1.rawValue: .block(.h4),
    GUMBO_TAG_H2.rawValue: .block(.h4), GUMBO_TAG_H3.rawValue: .block(.h4), GUMBO_TAG_H4.rawValue: .block(.h4),
    GUMBO_TAG_H5.rawValue: .smallHeading, GUMBO_TAG_H6.rawValue: .smallHeading, GUMBO_TAG_TD.rawValue: .cell,
    GUMBO_TAG_TH.rawValue: .cell,
  ]
  for tag in [
    GUMBO_TAG_DIV, GUMBO_TAG_ARTICLE, GUMBO_TAG_SECTION, GUMBO_TAG_NAV, GUMBO_TAG_ASIDE, GUMBO_TAG_HGROUP,
    GUMBO_TAG_HEADER, GUMBO_TAG_FOOTER, GUMBO_TAG_ADDRESS, GUMBO_TAG_DL, GUMBO_TAG_DT, GUMBO_TAG_DD, GUMBO_TAG_FIGURE,
    GUMBO_TAG_FIGCAPTION, GUMBO_TAG_MAIN, GUMBO_TAG_CENTER, GUMBO_TAG_TABLE, GUMBO_TAG_CAPTION, GUMBO_TAG_TR,
    GUMBO_TAG_THEAD, GUMBO_TAG_TBODY, GUMBO_TAG_TFOOT, GUMBO_TAG_FORM, GUMBO_TAG_FIELDSET, GUMBO_TAG_LEGEND,
    GUMBO_TAG_DETAILS, GUMBO_TAG_SUMMARY,
  ] { tags[tag.rawValue] = .separate }
  for tag in [
    GUMBO_TAG_HTML, GUMBO_TAG_BODY, GUMBO_TAG_SMALL, GUMBO_TAG_CITE, GUMBO_TAG_Q, GUMBO_TAG_DFN, GUMBO_TAG_ABBR,
    GUMBO_TAG_DATA, GUMBO_TAG_TIME, GUMBO_TAG_VAR, GUMBO_TAG_SUB, GUMBO_TAG_SUP, GUMBO_TAG_MARK, GUMBO_TAG_RUBY,
    GUMBO_TAG_RT, GUMBO_TAG_RP, GUMBO_TAG_RB, GUMBO_TAG_RTC, GUMBO_TAG_BDI, GUMBO_TAG_BDO, GUMBO_TAG_SPAN,
    GUMBO_TAG_WBR, GUMBO_TAG_LABEL, GUMBO_TAG_ACRONYM, GUMBO_TAG_BIG, GUMBO_TAG_BLINK, GUMBO_TAG_FONT,
    GUMBO_TAG_MARQUEE, GUMBO_TAG_MULTICOL, GUMBO_TAG_NOBR, GUMBO_TAG_SPACER, GUMBO_TAG_OUTPUT,
  ] { tags[tag.rawValue] = .unwrapped }
  return tags
}()
