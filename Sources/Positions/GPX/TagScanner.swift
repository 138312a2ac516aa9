/// Finds the tags and the texts of an XML document as its bytes come. It knows as much of XML as GPX needs: comments,
/// CDATA and processing instructions are skipped, entities are left as they are.
struct TagScanner {
  enum Piece {
    /// The inside of a tag, without the angle brackets: "trkpt lat=…", "/trkpt", "br/".
    case tag(UnsafeBufferPointer<UInt8>)
    /// The text before the following tag, as far as it is kept.
    case text(UnsafeBufferPointer<UInt8>)
    case tooLong
  }

  private var tag: [UInt8] = []
  private var text: [UInt8] = []
  private var isInTag = false
  private var quote: UInt8?
  private var isSkipping = false

  mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ take: (Piece) -> Void) {
    for byte in bytes { if isInTag { inside(byte, take) } else { outside(byte, take) } }
  }

  /// True within a tag that has not ended.
  var isUnfinished: Bool { isInTag }

  private mutating func outside(_ byte: UInt8, _ take: (Piece) -> Void) {
    guard byte == UInt8(ascii: "<") else {
      if text.count < PositionLimits.textBytes { text.append(byte) }
      return
    }
    if !text.isEmpty { text.withUnsafeBufferPointer { take(.text($0)) } }
    text.removeAll(keepingCapacity: true)
    tag.removeAll(keepingCapacity: true)
    (isInTag, quote, isSkipping) = (true, nil, false)
  }

  private mutating func inside(_ byte: UInt8, _ take: (Piece) -> Void) {
    let isSpecial = tag.first == UInt8(ascii: "!") || tag.first == UInt8(ascii: "?")
    if byte == UInt8(ascii: ">"), quote == nil, !isSpecial || isEndOfSpecial {
      isInTag = false
      if !isSpecial, !isSkipping { tag.withUnsafeBufferPointer { take(.tag($0)) } }
      return
    }
    if !isSpecial {
      if let open = quote { if byte == open { quote = nil } } else if byte == 34 || byte == 39 { quote = byte }
    }
    if tag.count < PositionLimits.tagBytes {
      tag.append(byte)
    } else if isSpecial {
      // A long comment's beginning and end are enough.
      tag.removeSubrange(Self.kept..<tag.count - Self.kept)
      tag.append(byte)
    } else if !isSkipping {
      isSkipping = true
      // A quotation mark may be missing; the tag then ends with the next bracket.
      quote = nil
      take(.tooLong)
    } else {
      quote = nil
    }
  }

  private var isEndOfSpecial: Bool {
    if tag.starts(with: "!--".utf8) { return tag.count >= 5 && tag.suffix(2).elementsEqual("--".utf8) }
    if tag.starts(with: "![CDATA[".utf8) { return tag.count >= 10 && tag.suffix(2).elementsEqual("]]".utf8) }
    return true
  }
  private static let kept = 16
}

/// The name and the attributes of a tag.
struct Tag {
  let name: String
  let isEnd: Bool
  /// True for a tag without contents: "<trkpt lat="1" lon="2"/>".
  let isEmpty: Bool
  private let attributes: ArraySlice<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var rest = Array(bytes)[...]
    isEnd = rest.first == UInt8(ascii: "/")
    if isEnd { rest.removeFirst() }
    isEmpty = rest.last == UInt8(ascii: "/")
    if isEmpty { rest.removeLast() }
    let name = rest.prefix { $0 > 32 }
    // A prefix of a namespace, as in "gpx:trkpt", says nothing that is needed.
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    self.name = String(decoding: local, as: UTF8.self)
    attributes = rest.dropFirst(name.count)
  }

  subscript(_ wanted: String) -> String? {
    var rest = attributes
    while true {
      rest = rest.drop { $0 <= 32 }
      let name = rest.prefix { $0 > 32 && $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(name.count).drop { $0 <= 32 }
      guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
      rest = rest.drop { $0 <= 32 }
      guard let quote = rest.popFirst(), quote == 34 || quote == 39, let end = rest.firstIndex(of: quote) else {
        return nil
      }
      if name.elementsEqual(wanted.utf8) { return String(decoding: rest[..<end], as: UTF8.self) }
      rest = rest[(end + 1)...]
    }
  }
}
