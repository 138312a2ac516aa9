public import Server
import Wire

extension Response.Field {
  /// Of an answer that depends on `Request.isGerman`.
  public static let byLanguage = Response.Field("Vary", "Accept-Language")
}

extension Request {
  /// True for a reader whose first language is German, as the browser says (Accept-Language, RFC 9110 section 12.5.4);
  /// everybody else reads English.
  public var isGerman: Bool { head.fields["accept-language"]?.lowercased().hasPrefix("de") ?? false }
}
