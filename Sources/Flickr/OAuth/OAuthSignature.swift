import Crypto
import Wire

/// The signature of OAuth 1.0a with HMAC-SHA1 (RFC 5849 section 3.4), the only method that Flickr takes.
public enum OAuthSignature {
  public typealias Parameter = (name: String, value: String)

  /// The parameters as the text that is signed: sorted by their encoded names, equal names by their encoded values
  /// (RFC 5849 section 3.4.1.3.2).
  public static func normalized(_ parameters: [Parameter]) -> String {
    parameters.map { (name: percentEncoded($0.name), value: percentEncoded($0.value)) }
      .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
      .map { "\($0.name)=\($0.value)" }
      .joined(separator: "&")
  }

  /// The signature base string (RFC 5849 section 3.4.1).
  /// - Parameters:
  ///   - url: the address; its query is left out, since `parameters` has it.
  ///   - parameters: all of them: of the address, of a form in the body, and OAuth's own but the signature.
  public static func baseString(_ method: String, _ url: String, _ parameters: [Parameter]) -> String {
    [method.uppercased(), baseAddress(url), normalized(parameters)].map { percentEncoded($0) }.joined(separator: "&")
  }

  /// The signature in base64.
  /// - Parameters:
  ///   - secret: the application's secret.
  ///   - tokenSecret: the token's; empty without a token.
  public static func signature(
    _ method: String, _ url: String, _ parameters: [Parameter], secret: String, tokenSecret: String
  ) -> String {
    let key = "\(percentEncoded(secret))&\(percentEncoded(tokenSecret))"
    return Digest.base64(Digest.hmacSHA1(baseString(method, url, parameters).utf8, key: Array(key.utf8)))
  }

  /// The address without query and default port, its scheme and host in lower case (RFC 5849 section 3.4.1.2).
  static func baseAddress(_ url: String) -> String {
    let whole = url.prefix { $0 != "?" && $0 != "#" }
    guard let end = whole.firstRange(of: "://") else { return String(whole) }
    let scheme = whole[..<end.lowerBound].lowercased()
    let rest = whole[end.upperBound...]
    let path = rest.drop { $0 != "/" }
    var host = rest.prefix { $0 != "/" }.lowercased()
    let port = scheme == "https" ? ":443" : ":80"
    if host.hasSuffix(port) { host.removeLast(port.count) }
    return "\(scheme)://\(host)\(path.isEmpty ? "/" : String(path))"
  }
}
