/// The kinds of pictures that every browser shows.
public enum PictureType: String, CaseIterable, Sendable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"
  case svg = "image/svg+xml"

  /// Bytes of a file's beginning that are needed to tell its kind.
  public static let signatureBytes = 512

  /// The kind that the first bytes of a file show, whatever its sender calls it.
  public init?(beginning bytes: [UInt8]) {
    func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + signature.count && bytes[offset...].starts(with: signature)
    }
    if starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if starts([0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if starts(Array("GIF87a".utf8)) || starts(Array("GIF89a".utf8)) {
      self = .gif
    } else if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else if Self.looksLikeSVG(bytes) {
      self = .svg
    } else {
      return nil
    }
  }

  /// True for XML whose first element, after declaration and comments, seems to be svg.
  private static func looksLikeSVG(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(signatureBytes), as: UTF8.self)
    return text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{feff}" } == "<" && text.contains("<svg")
  }
}
