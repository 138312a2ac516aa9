import Wire

/// The field Authorization of a signed request (RFC 5849 section 3.5.1). In the address, key and token would stand in
/// logs along the way.
struct OAuthHeader {
  let key: FlickrKey
  var token = ""
  var tokenSecret = ""
  /// Parameters of OAuth's own besides the usual ones, such as `oauth_verifier`.
  var extra: [OAuthSignature.Parameter] = []

  /// - Parameters:
  ///   - query: the parameters of the address.
  ///   - seconds: seconds since 1970.
  ///   - nonce: a text that no other request of the same second has.
  func field(
    _ method: String, _ url: String, query: [OAuthSignature.Parameter], seconds: Int, nonce: String
  ) -> String {
    var own: [OAuthSignature.Parameter] = [
      ("oauth_consumer_key", key.key), ("oauth_nonce", nonce), ("oauth_signature_method", "HMAC-SHA1"),
      ("oauth_timestamp", "\(seconds)"), ("oauth_version", "1.0"),
    ]
    if !token.isEmpty { own.append(("oauth_token", token)) }
    own += extra
    let signature = OAuthSignature.signature(
      method, url, query + own, secret: key.secret, tokenSecret: tokenSecret)
    let words = (own + [("oauth_signature", signature)]).map {
      "\($0.name)=\"\(percentEncoded($0.value))\""
    }
    return "OAuth " + words.joined(separator: ", ")
  }
}
