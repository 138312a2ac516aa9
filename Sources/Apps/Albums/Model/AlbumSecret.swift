import Crypto

/// Random texts: the ids of albums and pictures, the secrets of links, and tokens.
enum AlbumSecret {
  /// The beginning of a token, by which it is told from others.
  static let tokenPrefix = "album_"

  /// A new id of letters and digits, which nobody guesses and which counts nothing.
  static func id() -> String {
    var text = ""
    while text.utf8.count < AlbumLimits.idCharacters {
      text += Digest.base64URL(Digest.random(AlbumLimits.secretBytes)).filter { $0 != "-" && $0 != "_" }
    }
    return String(text.prefix(AlbumLimits.idCharacters))
  }

  /// True for what can be an id.
  static func isID(_ text: String) -> Bool {
    text.utf8.count == AlbumLimits.idCharacters
      && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) }
  }

  /// The secret of a link, all of its fragment.
  static func link() -> String { Digest.base64URL(Digest.random(AlbumLimits.secretBytes)) }

  static func token() -> String { tokenPrefix + link() }

  /// The digest that the store keeps of a token, and finds a link's album by.
  static func digest(_ secret: String) -> [UInt8] { Digest.sha256(secret.utf8) }

  /// The entity tag of a picture's files: random, so that it tells nothing of their content.
  static func tag() -> String { Digest.hex(Digest.random(8)) }
}
