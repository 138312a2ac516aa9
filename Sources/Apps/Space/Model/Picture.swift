package import Pictures

/// What a picture of the space shows.
package enum PictureName: String, CaseIterable, Sendable {
  case logo
  /// The sign, when it says so.
  case open, closed
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
