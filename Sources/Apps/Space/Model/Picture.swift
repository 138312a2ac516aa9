package import Pictures

/// The kinds of pictures of a space.
package enum PictureName: String, CaseIterable, Sendable {
  case logo
  /// Pictures for the sign's two states.
  case open, closed
}

/// A stored picture.
package struct Picture: Equatable, Sendable {
  package var name: PictureName
  package var type: PictureType
  /// The SHA-256 of its bytes, in hexadecimal.
  package var digest: String
  /// False for one that an earlier version stored, until it has passed the filter.
  package var isClean: Bool

  package init(name: PictureName, type: PictureType, digest: String, isClean: Bool = true) {
    self.name = name
    self.type = type
    self.digest = digest
    self.isClean = isClean
  }

  /// The address at which it is served. It changes with the picture, so that no cache shows an old one.
  package var address: String { "/space/pictures/\(name.rawValue)?v=\(digest.prefix(12))" }
}
