/// The kind of a file by its bytes, whatever its sender calls it.
public enum FileKind: String, Sendable {
  case jpeg, png, gif, webp, heic, tiff
  /// MP4, QuickTime and 3GP; Matroska and WebM.
  case mp4, matroska
  /// Films of compact cameras until about 2012, and of camcorders (AVCHD, with the endings .mts and .m2ts).
  case avi, transport
  case raw, other

  /// Endings of raw files that are TIFF files and say so nowhere.
  private static let rawEndings: Set = [
    "nef", "nrw", "arw", "sr2", "pef", "dng", "gpr", "cr2", "3fr", "fff", "iiq", "erf", "kdc", "dcr", "srw",
  ]

  public init(_ file: FileBytes, name: String? = nil) {
    if let start = file.number(0, bytes: 3), start == 0xffd8ff {
      self = .jpeg
    } else if file.long(0) == 0x8950_4e47, file.long(4) == 0x0d0a_1a0a {
      self = .png
    } else if file.holds("GIF87a", at: 0) || file.holds("GIF89a", at: 0) {
      self = .gif
    } else if file.holds("RIFF", at: 0), file.holds("WEBP", at: 8) {
      self = .webp
    } else if file.holds("RIFF", at: 0), file.holds("AVI ", at: 8) {
      self = .avi
    } else if file.long(0) == 0x1a45_dfa3 {
      self = .matroska
    } else if Self.isTransport(file) {
      self = .transport
    } else if file.holds("FUJIFILMCCD-RAW", at: 0) || file.holds("IIRO", at: 0) || file.holds("IIRS", at: 0)
      || file.holds("IIU\0", at: 0)
    {
      self = .raw
    } else if file.long(0) == 0x4949_2a00 || file.long(0) == 0x4d4d_002a {
      let ending = name.flatMap { $0.split(separator: ".").last }.map { $0.lowercased() } ?? ""
      self = file.holds("CR", at: 8) || Self.rawEndings.contains(ending) ? .raw : .tiff
    } else {
      self = Self.container(file)
    }
  }

  /// Packets of 188 bytes that begin with the same one (ISO 13818-1); AVCHD has four bytes of time before each.
  private static func isTransport(_ file: FileBytes) -> Bool {
    [(0, 188), (4, 192)].contains { start, size in
      (0..<3).allSatisfy { file.number(start + $0 * size, bytes: 1) == 0x47 }
    }
  }

  /// Files of boxes: HEIC, AVIF, MP4, MOV, Canon's CR3.
  private static func container(_ file: FileBytes) -> FileKind {
    guard let size = file.long(0) else { return .other }
    // Some MOV begin with other boxes than ftyp.
    for type: StaticString in ["moov", "mdat", "wide", "free", "skip", "pnot"] where file.holds(type, at: 4) {
      return .mp4
    }
    guard file.holds("ftyp", at: 4), size >= 16 else { return .other }
    let pictures: [StaticString] = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"]
    let isPicture = { (offset: Int) in pictures.contains { file.holds($0, at: offset) } }
    if isPicture(8) { return .heic }
    if file.holds("crx ", at: 8) { return .raw }
    return .mp4
  }
}
