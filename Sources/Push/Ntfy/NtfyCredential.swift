/// The token in a request in ntfy's manner. ntfy's clients send it as the password of a name (RFC 7617), as a bearer
/// token (RFC 6750), or either of these in the address: `?auth=` with the whole field in base64. A field with another
/// scheme is none for the hub: application servers sign so what they send for UnifiedPush (RFC 8292).
public enum NtfyCredential: Equatable, Sendable {
  case none
  case token(String)
  /// Something that is no token.
  case unreadable

  /// - Parameters:
  ///   - header: the field Authorization; nil without one.
  ///   - query: the parameter `auth`, percent-decoded; nil without one.
  public init(header: String?, query: String?) {
    if let own = header.flatMap({ Self(field: $0) }) {
      self = own
    } else if let query, !query.isEmpty {
      let field = query.utf8.count <= NtfyLimits.credentialBytes ? Base64.bytes(query) : nil
      self = field.flatMap { String(validating: $0, as: UTF8.self) }.flatMap { Self(field: $0) } ?? .unreadable
    } else {
      self = .none
    }
  }

  /// Nil for a scheme that ntfy's clients do not use.
  private init?(field: String) {
    let parts = NtfyWords.trimmed(field).split(separator: " ", maxSplits: 1).map(NtfyWords.trimmed)
    let value = parts.count > 1 ? parts[1] : ""
    switch parts.first?.lowercased() {
    case "bearer": self = value.isEmpty ? .unreadable : .token(value)
    case "basic":
      let pair = Base64.bytes(value).flatMap { String(validating: $0, as: UTF8.self) }
      guard let pair, let colon = pair.firstIndex(of: ":") else {
        self = .unreadable
        return
      }
      let (name, password) = (pair[..<colon], pair[pair.index(after: colon)...])
      // Some clients know names only, and have the token there; Python's write "None" for the password.
      let isName = password.isEmpty || (name.hasPrefix("eb_") && !password.hasPrefix("eb_"))
      let token = isName ? name : password
      self = token.isEmpty ? .none : .token(String(token))
    default: return nil
    }
  }
}
