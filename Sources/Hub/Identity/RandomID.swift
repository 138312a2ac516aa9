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

  /// True for what can be one.
  public static func accepts(_ text: String) -> Bool {
    text.utf8.count == characters && text.isAlphanumeric()
  }
}
