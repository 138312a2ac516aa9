/// Writes well-nested HTML from an allow-list: parsing it gives the same elements in the same places.
struct DescriptionWriter: HTMLWriter {
  private enum Element: Equatable {
    case named(HTMLTag.StaticName)
    case link
    case item

    var name: String {
      switch self {
      case .named(let name): name.rawValue
      case .link: "a"
      case .item: "li"
      }
    }

    /// True for elements that end a paragraph and a line.
    var isBlock: Bool {
      switch self {
      case .named(.pre), .named(.blockquote), .named(.p), .named(.ul), .named(.ol), .named(.h4), .item: true
      default: false
      }
    }
  }

  private let keepsLineEnds: Bool
  private var output: [UInt8] = []
  private var written: [Element] = []
  /// For each open element of the source, the number of written elements open before it.
  private var levels: [Int] = []
  /// Line breaks to be written before the next text, if any follows.
  private var pendingBreaks = 0
  private var isSpacePending = false
  /// True if the current line has text.
  private var hasText = false
  /// True behind markup that ended a line or a cell: a line end right behind it, as programs write it, is no other one.
  private var isLineEndPassedOver = false
  /// The length of the output before the last link, nil as soon as the link has text.
  private var emptyLink: Int?

  init(keepsLineEnds: Bool) {
    self.keepsLineEnds = keepsLineEnds
  }

  mutating func finish() -> String {
    while !written.isEmpty { closeLast() }
    return String(decoding: output, as: UTF8.self)
  }

  // MARK: Elements

  mutating func open(_ tag: HTMLTag, _ address: String?) {
    levels.append(written.count)
    switch tag {
    case .inline(let name): begin(.named(name))
    case .block(let name): begin(.named(name))
    case .smallHeading:
      begin(.named(.p))
      begin(.named(.strong))
    case .item:
      let holder = written.last { $0 == .item || $0 == .named(.ul) || $0 == .named(.ol) }
      begin(holder == nil || holder == .item ? .named(.p) : .item)
    case .link:
      guard !written.contains(.link), let address, let safe = safeAddress(address) else { return }
      writePending()
      emptyLink = output.count
      begin(.link, attributes: linkAttributes(safe))
    case .lineBreak:
      if hasText || pendingBreaks > 0 { pendingBreaks = min(2, pendingBreaks + 1) }
      hasText = false
      isLineEndPassedOver = true
    case .rule:
      endParagraph()
      append("<hr>")
      endLine()
    case .separate: separate()
    case .cell: separateCell()
    case .unwrapped, .dropped: break
    }
  }

  mutating func close(_ tag: HTMLTag) {
    guard let writtenBefore = levels.popLast() else { return }
    while written.count > writtenBefore { closeLast() }
    if tag == .separate { separate() }
    if tag == .cell { separateCell() }
  }

  private mutating func begin(_ element: Element, attributes: String = "") {
    if element.isBlock {
      endParagraph()
      endLine()
    } else {
      writePending()
    }
    guard written.count < MarkupLimits.depth else { return }
    append("<\(element.name)\(attributes)>")
    written.append(element)
  }

  /// Closes an open paragraph or heading with all that is in it, as a browser does when a block begins inside.
  private mutating func endParagraph() {
    guard let index = written.firstIndex(where: { $0 == .named(.p) || $0 == .named(.h4) }) else { return }
    while written.count > index { closeLast() }
    // Elements of the source that were closed early must not close others later.
    for level in levels.indices { levels[level] = min(levels[level], index) }
  }

  private mutating func closeLast() {
    let element = written.removeLast()
    // A link around a picture has nothing left that could be seen or read out.
    if element == .link, let emptyLink { return output.removeLast(output.count - emptyLink) }
    append("</\(element.name)>")
    if element.isBlock { endLine() }
  }

  // MARK: Lines

  /// Starts a new line without an empty one in between.
  private mutating func separate() {
    if hasText { pendingBreaks = max(1, pendingBreaks) }
    hasText = false
    isSpacePending = false
    isLineEndPassedOver = true
  }

  private mutating func separateCell() {
    isSpacePending = hasText
    isLineEndPassedOver = true
  }

  /// Called where a block begins or ends, so that no line break is needed.
  private mutating func endLine() {
    hasText = false
    pendingBreaks = 0
    isSpacePending = false
  }

  private mutating func writePending() {
    for _ in 0..<pendingBreaks { append("<br>") }
    if isSpacePending, pendingBreaks == 0 { append(" ") }
    pendingBreaks = 0
    isSpacePending = false
  }

  mutating func write(text: [UInt8]) {
    if written.contains(.named(.pre)) {
      writePending()
      appendText(text)
      hasText = true
    } else if keepsLineEnds {
      for (index, line) in text.split(separator: Byte.newline, omittingEmptySubsequences: false).enumerated() {
        if index > 0, isLineEndPassedOver {
          isLineEndPassedOver = false
        } else if index > 0 {
          if hasText || pendingBreaks == 1 { pendingBreaks += 1 }
          hasText = false
        }
        write(line: Array(line))
      }
    } else {
      write(line: text)
    }
  }

  private mutating func write(line: [UInt8]) {
    guard line.contains(where: { $0 > Byte.space }) else {
      if hasText, !line.isEmpty { isSpacePending = true }
      return
    }
    writePending()
    appendText(line)
    hasText = true
    isLineEndPassedOver = false
  }

  private mutating func appendText(_ text: [UInt8]) {
    guard written.contains(.link) else { return appendLinked(text, to: &output) }
    emptyLink = nil
    appendEscaped(text[...], to: &output)
  }

  private mutating func append(_ text: String) {
    output += text.utf8
  }
}
