import Server
import Wire

/// The cookie of a signed-in device. Scripts cannot read it; other sites' pages cannot send it with a write.
enum SessionCookie {
  /// Over TLS the prefix ensures that only this very host can set the cookie, over TLS (RFC 6265bis).
  static func name(isSecure: Bool) -> String { isSecure ? "__Host-eightbells" : "eightbells" }

  /// The secret in a request's cookie.
  static func secret(in request: Request) -> String? { request.cookie(name(isSecure: request.isSecure)) }

  static func set(_ secret: String, isSecure: Bool) -> Response.Field {
    field(secret, seconds: Int(IdentityLimits.sessionSeconds), isSecure: isSecure)
  }

  static func clear(isSecure: Bool) -> Response.Field { field("", seconds: 0, isSecure: isSecure) }

  private static func field(_ value: String, seconds: Int, isSecure: Bool) -> Response.Field {
    let attributes = "Max-Age=\(seconds); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    return Response.Field("Set-Cookie", "\(name(isSecure: isSecure))=\(value); \(attributes)")
  }
}
