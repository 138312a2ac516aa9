public import Server
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

extension Request {
  /// The value of a cookie. Two cookies of the name count as none: somebody else has set one of them.
  public func cookie(_ name: String) -> String? {
    guard let header = head.fields["cookie"] else { return nil }
    let found = header.split(separator: ";").compactMap { part -> Substring? in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, pair[0].drop(while: { $0 == " " }) == name else { return nil }
      return pair[1]
    }
    return found.count == 1 ? String(found[0]) : nil
  }
}
