/// What a picture of the space shows.
package enum PictureName: String, CaseIterable, Sendable {
  case logo
  /// The sign, when it says so.
  case open, closed
}

/// The kinds of pictures that every browser shows.
package enum PictureType: String, CaseIterable, Sendable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"
  case svg = "image/svg+xml"

  /// Bytes of the beginning by which a kind is told.
  package static let signatureBytes = 512

  /// The kind that the beginning of a file shows, whatever its sender calls it.
  package init?(beginning bytes: [UInt8]) {
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

  /// XML whose first element, behind declaration and comments, is likely to be svg.
  private static func looksLikeSVG(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(signatureBytes), as: UTF8.self)
    return text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{feff}" } == "<" && text.contains("<svg")
  }
}

/// A picture that is kept.
package struct Picture: Equatable, Sendable {
  package var name: PictureName
  package var type: PictureType
  /// SHA-256 of its bytes, in hexadecimal.
  package var digest: String

  package init(name: PictureName, type: PictureType, digest: String) {
    self.name = name
    self.type = type
    self.digest = digest
  }

  /// Where it is served. The address changes with the picture, so that nobody shows an old one.
  package var address: String { "/space/pictures/\(name.rawValue)?v=\(digest.prefix(12))" }
}
