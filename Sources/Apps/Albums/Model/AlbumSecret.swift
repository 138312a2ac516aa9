import Crypto
import Hub

/// Random texts beside ids (`RandomID`): the secrets of links, tokens, and entity tags.
enum AlbumSecret {
  /// The beginning of a token, by which it is told from others.
  static let tokenPrefix = "album_"

  /// The secret of a link, all of its fragment.
  static func link() -> String { RandomID.secret(bytes: AlbumLimits.secretBytes) }

  static func token() -> String { tokenPrefix + link() }

  /// The digest that the store keeps of a token, and finds a link's album by.
  static func digest(_ secret: String) -> [UInt8] { Digest.sha256(secret.utf8) }

  /// The entity tag of a picture's files: random, so that it tells nothing of their content.
  static func tag() -> String { Digest.hex(Digest.random(8)) }
}
