import Crypto
import Wire

/// Ids in addresses: letters and digits that nobody guesses and that count nothing.
public enum RandomID {
  /// 95 bits.
  private static let characters = 16

  /// A new one.
  public static func make() -> String {
    var text = ""
    while text.utf8.count < characters {
      text += Digest.base64URL(Digest.random(24)).filter { $0 != "-" && $0 != "_" }
    }
    return String(text.prefix(characters))
  }

  /// A secret at the end of a link. It ends with a letter or digit: many chats take "-" or "_" there for no part of it.
  public static func secret(bytes: Int) -> String {
    while true {
      let text = Digest.base64URL(Digest.random(bytes))
      if !text.hasSuffix("-"), !text.hasSuffix("_") { return text }
    }
  }

  /// True for what can be one.
  public static func accepts(_ text: String) -> Bool {
    text.utf8.count == characters && text.isAlphanumeric()
  }
}
