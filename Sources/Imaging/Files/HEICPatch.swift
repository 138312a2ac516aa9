/// Lets libheif before 1.18 open what iPhones write since iOS 18.
///
/// Such a picture has a gain map that refers to two pictures (`auxl` in `iref`), which is allowed; libheif 1.15 answers
/// "Too many auxiliary image references" (libheif#1190, #1573, libvips#4169). If the box's type becomes `free`, nothing
/// else of the file moves, and it decodes to the same picture without its gain map, which we do not use.
public enum HEICPatch {
  static let replacement = Array("free".utf8)
  /// Boxes that are looked at on each level: a picture of tiles has some hundred references.
  static let boxes = 10_000

  /// The places of the types to be overwritten.
  public static func places(in file: FileBytes) -> [Int] {
    guard let meta = find("meta", in: file, from: 0, to: file.count),
      // After four bytes of version and flags.
      let references = find("iref", in: file, from: meta.content + 4, to: meta.end),
      let version = file.number(references.content, bytes: 1)
    else { return [] }
    var places: [Int] = []
    var offset = references.content + 4
    for _ in 0..<boxes {
      guard let box = file.box(at: offset, before: references.end) else { break }
      let count = box.content + (version == 0 ? 2 : 4)
      if file.holds("auxl", at: offset + 4), count + 2 <= box.end, file.short(count) != 1 { places.append(offset + 4) }
      offset = box.end
    }
    return places
  }

  private static func find(
    _ type: StaticString, in file: FileBytes, from start: Int, to end: Int
  ) -> (content: Int, end: Int)? {
    var offset = start
    for _ in 0..<boxes {
      guard let box = file.box(at: offset, before: end) else { return nil }
      if file.holds(type, at: offset + 4) { return box }
      offset = box.end
    }
    return nil
  }

  /// Overwrites these places in a copy that belongs to the decoder.
  public static func apply(_ places: [Int], to bytes: UnsafeMutableRawBufferPointer) {
    for place in places {
      UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + 4]).copyBytes(from: replacement)
    }
  }
}
