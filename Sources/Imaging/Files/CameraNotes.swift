/// What a camera wrote into a picture (Exif 2.32) and matters here: the local time, and Apple's content identifier.
public struct CameraNotes: Equatable, Sendable {
  public var taken: String?
  public var pair: String?

  private enum Tag {
    static let details = 0x8769
    static let taken = 0x9003
    static let digitized = 0x9004
    static let maker = 0x927c
    /// In Apple's own notes.
    static let contentIdentifier = 0x0011
  }
  /// Fields of a directory that are read; cameras write some fifty.
  private static let fields = 512

  /// - Parameter exif: from "Exif\0\0" or from the TIFF header on; a TIFF is one itself.
  public init(exif: UnsafeRawBufferPointer) {
    let whole = FileBytes(exif)
    let start = whole.holds("Exif", at: 0) ? 6 : 0
    guard let part = whole.part(start, whole.count - start) else { return }
    var tiff = FileBytes(part)
    tiff.isLittle = tiff.holds("II", at: 0)
    guard tiff.isLittle || tiff.holds("MM", at: 0), let first = tiff.long(4),
      let details = Self.field(Tag.details, in: tiff, at: first), let place = tiff.long(details.place)
    else { return }
    // Scanners, and some phones, tell the second one alone.
    for tag in [Tag.taken, Tag.digitized] where taken == nil {
      guard let field = Self.field(tag, in: tiff, at: place) else { continue }
      taken = tiff.text(field.place, field.length).flatMap(Self.time)
    }
    guard let maker = Self.field(Tag.maker, in: tiff, at: place), let notes = tiff.part(maker.place, maker.length)
    else { return }
    pair = Self.contentIdentifier(notes)
  }

  /// Apple's notes: "Apple iOS", a version, the order of bytes, and one directory whose places count from the notes on.
  private static func contentIdentifier(_ notes: UnsafeRawBufferPointer) -> String? {
    var file = FileBytes(notes)
    guard file.holds("Apple iOS\0", at: 0) else { return nil }
    file.isLittle = file.holds("II", at: 12)
    guard let field = field(Tag.contentIdentifier, in: file, at: 14) else { return nil }
    return file.text(field.place, field.length).flatMap { isContentIdentifier($0) ? $0 : nil }
  }

  /// A directory's field: where its value stands, and the bytes of it.
  private static func field(
    _ tag: Int, in file: FileBytes, at directory: Int
  ) -> (place: Int, length: Int)? {
    guard let count = file.short(directory) else { return nil }
    for index in 0..<min(count, fields) {
      let entry = directory + 2 + 12 * index
      guard let found = file.short(entry) else { return nil }
      guard found == tag, let type = file.short(entry + 2), let amount = file.long(entry + 4) else { continue }
      let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
      guard sizes.indices.contains(type), amount <= file.count else { return nil }
      let length = sizes[type] * amount
      guard length > 4 else { return (entry + 8, length) }
      guard let place = file.long(entry + 8) else { return nil }
      return (place, length)
    }
    return nil
  }

  /// "2026:11:21 18:04:00" as 2026-11-21T18:04:00.
  private static func time(_ text: String) -> String? {
    let parts = text.split(separator: " ")
    guard parts.count == 2 else { return nil }
    let time = parts[0].split(separator: ":").joined(separator: "-") + "T" + parts[1]
    return isCameraTime(time) ? time : nil
  }
}

/// True for an identifier as Apple's cameras write it: a UUID.
package func isContentIdentifier(_ text: String) -> Bool {
  text.utf8.count == 36 && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isHexDigit }
}
