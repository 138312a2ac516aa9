import Wire

/// The way in which a person lets the hub read their account (flickr.com/services/api/auth.oauth.html): a request
/// token, their consent at Flickr, and the token that lasts.
extension FlickrAPI {
  /// Asks for a request token.
  /// - Parameter callback: the address to which Flickr sends the person's browser afterwards; nil if they are to see a
  ///   code instead, which they type.
  public func requestToken(callback: String?) async throws(FlickrFault) -> FlickrRequestToken {
    let header = OAuthHeader(key: key, extra: [("oauth_callback", callback ?? "oob")])
    let form = try await form(addresses.requestToken, header)
    guard let token = form["oauth_token"], let secret = form["oauth_token_secret"],
      form["oauth_callback_confirmed"] == "true"
    else { throw .unreachable(Reason(.flickrOdd)) }
    return FlickrRequestToken(token: token, secret: secret)
  }

  /// The address at which the person consents to reading.
  public func consentAddress(_ token: FlickrRequestToken) -> String {
    "\(addresses.authorize)?oauth_token=\(percentEncoded(token.token))&perms=read"
  }

  /// Exchanges the consent for the token that lasts.
  /// - Parameter verifier: what the callback was called with, or the code, as a person may type it.
  /// - Throws: `.refused` for a wrong code, and after too long a time.
  public func accessToken(_ request: FlickrRequestToken, verifier: String) async throws(FlickrFault) -> FlickrToken {
    let header = OAuthHeader(
      key: key, token: request.token, tokenSecret: request.secret,
      extra: [("oauth_verifier", Self.verifier(verifier))])
    let form: [String: String]
    do throws(FlickrFault) {
      form = try await self.form(addresses.accessToken, header)
    } catch {
      guard case .denied(let reason) = error, reason.values["code"]?.int == 98 else { throw error }
      throw .refused(code: 1, words: "the code is wrong or too old; ask Flickr for a new one")
    }
    guard let token = form["oauth_token"], let secret = form["oauth_token_secret"], let user = form["user_nsid"],
      !token.isEmpty, !user.isEmpty
    else { throw .unreachable(Reason(.flickrOdd)) }
    return FlickrToken(token: token, secret: secret, user: user, name: form["username"] ?? user)
  }

  /// Nine digits as Flickr shows them, 123-456-789, whatever stands between them; other texts as they are.
  static func verifier(_ text: String) -> String {
    let digits = text.filter { $0.isASCII && $0.isNumber }
    let isCode = digits.count == 9 && text.allSatisfy { digits.contains($0) || $0 == "-" || $0.isWhitespace }
    guard isCode else { return text.filter { !$0.isWhitespace } }
    let parts = [0, 3, 6].map { digits.dropFirst($0).prefix(3) }
    return parts.joined(separator: "-")
  }
}
