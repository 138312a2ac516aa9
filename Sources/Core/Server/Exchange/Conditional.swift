import Wire

extension Response {
  /// What remains to be sent of this answer for a request that has an older copy, or wants only a part (RFC 9110
  /// sections 13 and 14). The same for every version of HTTP.
  func conditional(_ head: RequestHead) -> Response {
    guard status == 200, head.method == .get || head.method == .head else { return self }
    if Self.matches(head, etag: etag) { return bodyless(status: 304) }
    return self
  }

  private func bodyless(status: Int) -> Response {
    var response = self
    response.status = status
    response.body = .bytes([])
    return response
  }

  /// RFC 9110 section 13.1.2; a weak comparison, as it asks for.
  private static func matches(_ head: RequestHead, etag: String?) -> Bool {
    guard let etag, let wanted = head.fields["if-none-match"] else { return false }
    if wanted == "*" { return true }
    return wanted.split(separator: ",").contains { part in
      let tag = part.drop { $0 == " " }.prefix { $0 != " " }
      return (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == "\"\(etag)\""
    }
  }
}
