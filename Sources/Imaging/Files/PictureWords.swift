import XML

/// The title and the caption that somebody has written into a picture: in XMP (ISO 16684-1, `dc:title` and
/// `dc:description`), else in IPTC's older form (IIM 4.2, 2:05 and 2:120). Programs for photographers write both.
public struct PictureWords: Equatable, Sendable {
  /// One line of at most `ImagingLimits.titleCharacters`; empty for none.
  public let title: String
  /// Lines of at most `ImagingLimits.captionCharacters` in all; empty for none.
  public let caption: String

  public init(title: String = "", caption: String = "") {
    self.title = Self.cleaned(title, keepsLines: false, ImagingLimits.titleCharacters)
    self.caption = Self.cleaned(caption, keepsLines: true, ImagingLimits.captionCharacters)
  }

  /// - Parameters:
  ///   - xmp: the packet, without the name in front of it.
  ///   - iptc: Adobe's blocks (8BIM), as JPEG has them, or IIM alone, as TIFF has it.
  public init(xmp: UnsafeRawBufferPointer?, iptc: UnsafeRawBufferPointer?) {
    let (new, old) = (xmp.map(Self.properties) ?? [:], iptc.map(Self.datasets) ?? [:])
    func words(_ property: Property) -> String {
      [new, old].lazy.compactMap { $0[property] }.first { Self.isSeen($0) && !Self.isCameras($0) } ?? ""
    }
    self.init(title: words(.title), caption: words(.caption))
  }

  private enum Property { case title, caption }

  /// Without control characters and without those that turn the direction of what follows, without spaces around it,
  /// and with one empty line at most between others. It is cut by Unicode's scalars: what counts as one character may
  /// have marks without end.
  private static func cleaned(_ text: String, keepsLines: Bool, _ longest: Int) -> String {
    guard isSeen(text) else { return "" }
    let parts =
      keepsLines
      ? text.replacing("\r\n", with: "\n").replacing("\t", with: " ").split(omittingEmptySubsequences: false) {
        $0.isNewline
      } : text.split { $0.isWhitespace }
    let plain = parts.map { part in
      String(String.UnicodeScalarView(part.unicodeScalars.filter { !isControl($0) }))
    }
    let some = plain.indices.filter { $0 == 0 || isSeen(plain[$0]) || isSeen(plain[$0 - 1]) }.map { plain[$0] }
    let whole = some.joined(separator: keepsLines ? "\n" : " ").drop { $0.isWhitespace }
    let all = String(whole.unicodeScalars.prefix(longest))
    return String(all.reversed().drop { $0.isWhitespace }.reversed())
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || (0x202a...0x202e).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }

  /// False for a text of spaces and of characters without a shape alone, such as those of no width.
  private static func isSeen(_ text: String) -> Bool {
    text.unicodeScalars.contains {
      !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint && !isControl($0)
    }
  }

  /// True for what cameras write into each picture where a caption belongs (Exif's ImageDescription), and programs for
  /// photographers take over.
  private static func isCameras(_ text: String) -> Bool {
    let words = text.split { $0.isWhitespace }.joined(separator: " ").uppercased()
    return cameras.contains(words) || words.hasPrefix("DCIM\\")
  }

  private static let cameras: Set = [
    "OLYMPUS DIGITAL CAMERA", "SONY DSC", "MINOLTA DIGITAL CAMERA", "KONICA MINOLTA DIGITAL CAMERA",
    "KODAK DIGITAL STILL CAMERA", "SAMSUNG CAMERA PICTURES", "EXIF_JPEG_PICTURE",
  ]

  // MARK: XMP

  /// A text in one or more languages (`rdf:Alt`), of which the default one counts, else the first. All programs write
  /// the two prefixes that the standard uses.
  private static func properties(_ packet: UnsafeRawBufferPointer) -> [Property: String] {
    guard packet.count <= ImagingLimits.xmpBytes else { return [:] }
    var found: [Property: String] = [:]
    var scanner = XMLScanner(Array(packet))
    var (property, isDefault, text) = (Property?.none, false, "")
    while let token = try? scanner.next() {
      switch token {
      case .text(let part): if property != nil { text += part }
      case .open("dc:title", _, isEmpty: false): (property, text) = (.title, "")
      case .open("dc:description", _, isEmpty: false): (property, text) = (.caption, "")
      case .open("rdf:li", let attributes, isEmpty: false):
        isDefault = attributes.contains { $0 == ("xml:lang", "x-default") }
        text = ""
      case .close("rdf:li"):
        if let property, isDefault || found[property] == nil { found[property] = text }
        text = ""
      case .close("dc:title"), .close("dc:description"): property = nil
      default: break
      }
    }
    return found
  }

  // MARK: IPTC

  private static func datasets(_ bytes: UnsafeRawBufferPointer) -> [Property: String] {
    guard let records = records(in: FileBytes(bytes)) else { return [:] }
    let file = FileBytes(records)
    var (texts, isUTF8, place) = ([Property: UnsafeRawBufferPointer](), false, 0)
    // A dataset: 0x1c, its record, its number, and its length, of which the highest bit says that it is a longer one.
    while file.number(place, bytes: 1) == 0x1c, let name = file.short(place + 1), let length = file.short(place + 3),
      let value = file.part(place + 5, length)
    {
      switch name {
      case 0x015a: isUTF8 = value.elementsEqual("\u{1b}%G".utf8)
      case 0x0205: texts[.title] = value
      case 0x0278: texts[.caption] = value
      default: break
      }
      place += 5 + length
    }
    return texts.mapValues { text in
      // Without a word about it, newer programs mean UTF-8 and older ones Latin-1.
      String(validating: text, as: UTF8.self)
        ?? (isUTF8
          ? String(decoding: text, as: UTF8.self) : String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) })))
    }
  }

  /// The block of IIM among Adobe's: "8BIM", a number, a name of even length, a length, and as many bytes, made even.
  private static func records(in file: FileBytes) -> UnsafeRawBufferPointer? {
    guard file.holds("Photoshop 3.0\0", at: 0) else { return file.part(0, file.count) }
    var place = 14
    while file.holds("8BIM", at: place), let number = file.short(place + 4),
      let name = file.number(place + 6, bytes: 1), case let start = place + 6 + (name + 2) / 2 * 2,
      let length = file.long(start)
    {
      if number == 0x0404 { return file.part(start + 4, length) }
      place = start + 4 + (length + 1) / 2 * 2
    }
    return nil
  }
}
