/// Converts plain text to HTML: empty lines separate paragraphs, other line ends become line breaks.
func htmlFromPlainText(_ text: [UInt8]) -> String {
  var output: [UInt8] = []
  var isOpen = false
  for line in text.split(separator: Byte.newline, omittingEmptySubsequences: false) {
    guard line.contains(where: { $0 > Byte.space }) else {
      if isOpen { output += "</p>".utf8 }
      isOpen = false
      continue
    }
    output += isOpen ? "<br>".utf8 : "<p>".utf8
    isOpen = true
    appendLinked(Array(line), to: &output)
  }
  if isOpen { output += "</p>".utf8 }
  return String(decoding: output, as: UTF8.self)
}

/// Converts a cleaned description to plain text: list items get a dash, and links are followed by their address unless
/// it is their text.
public func plainText(fromHTML html: String) -> String {
  var writer = PlainTextWriter()
  walkHTML(Array(html.utf8), to: &writer)
  return writer.finish()
}

private struct PlainTextWriter: HTMLWriter {
  private var output: [UInt8] = []
  private var depthOfPre = 0
  /// The length of the output behind the dash of an open list item: a paragraph goes on beside it.
  private var itemStart: Int?
  /// The open link: its address, and the start of its text.
  private var link: (address: String, start: Int)?

  mutating func finish() -> String {
    String(decoding: trimmed(output[...]), as: UTF8.self)
  }

  mutating func open(_ tag: HTMLTag, _ address: String?) {
    switch tag {
    case .block(let name):
      if name == .pre { depthOfPre += 1 }
      endLine(blank: true)
    case .smallHeading: endLine(blank: true)
    case .separate: endLine(blank: false)
    case .item:
      endLine(blank: false)
      output += "- ".utf8
      itemStart = output.count
    case .lineBreak: output.append(Byte.newline)
    case .rule:
      endLine(blank: true)
      output += "---".utf8
      endLine(blank: true)
    case .link: link = address.map { ($0, output.count) }
    default: break
    }
  }

  mutating func close(_ tag: HTMLTag) {
    switch tag {
    case .block(let name):
      if name == .pre { depthOfPre -= 1 }
      endLine(blank: true)
    case .smallHeading: endLine(blank: true)
    case .separate: endLine(blank: false)
    case .item:
      itemStart = nil
      endLine(blank: false)
    case .link: closeLink()
    default: break
    }
  }

  private mutating func closeLink() {
    guard let (address, start) = link else { return }
    link = nil
    // A line that ended within the link may have removed spaces before it.
    let text = output[min(start, output.count)...]
    // Compared as bytes: strings are also equal if they are only canonically equivalent.
    let schemes = ["", "mailto:", "tel:", "https://", "http://"]
    guard !schemes.contains(where: { (Array($0.utf8) + text).elementsEqual(address.utf8) }) else { return }
    output += " <\(address)>".utf8
  }

  /// Ends the current line if it has text; with `blank`, leaves an empty line after the earlier text.
  private mutating func endLine(blank: Bool) {
    guard output.count != itemStart else { return }
    while output.last == Byte.space { output.removeLast() }
    guard !output.isEmpty else { return }
    let wanted = blank ? 2 : 1
    var present = 0
    while present < wanted, present < output.count, output[output.count - 1 - present] == Byte.newline { present += 1 }
    for _ in present..<wanted { output.append(Byte.newline) }
  }

  /// Writes text with white space reduced to single spaces, except in preformatted text.
  mutating func write(text: [UInt8]) {
    if depthOfPre > 0 {
      output += text
      return
    }
    for byte in text {
      if byte > Byte.space {
        output.append(byte)
      } else if let last = output.last, last != Byte.space, last != Byte.newline {
        output.append(Byte.space)
      }
    }
  }
}
