/// An object store's answer that is an error.
package struct BucketRefusal: Equatable {
  package var status: Int
  /// Such as "NoSuchBucket"; empty if it says none.
  package var code: String
  package var message: String

  /// - Parameter body: a document such as `<Error><Code>NoSuchBucket</Code><Message>…</Message></Error>`.
  package init(status: Int, body: [UInt8]) {
    self.status = status
    let text = String(decoding: body.prefix(Self.bytes), as: UTF8.self)
    code = Self.element("Code", in: text)
    message = Self.element("Message", in: text)
  }

  /// Bytes of a document that are read: its other elements repeat what was asked for.
  private static let bytes = 4_096
  private static let messageCharacters = 200

  private static func element(_ name: String, in text: String) -> String {
    guard let begin = text.firstRange(of: "<\(name)>"),
      let end = text[begin.upperBound...].firstRange(of: "</\(name)>")
    else { return "" }
    return String(text[begin.upperBound..<end.lowerBound].prefix(messageCharacters).filter { !$0.isNewline })
  }

  /// True if it may work a moment later.
  package var isPassing: Bool { [429, 500, 502, 503, 504].contains(status) }

  package var words: String {
    switch code {
    case "SignatureDoesNotMatch": "the object store does not accept the secret key"
    case "InvalidAccessKeyId": "the object store does not know the access key"
    case "ExpiredToken", "InvalidToken": "the object store does not accept the session token"
    case "NoSuchBucket": "there is no such bucket"
    case "RequestTimeTooSkewed": "the object store's clock and this machine's differ by too much"
    case "XAmzContentSHA256Mismatch": "the bytes that were sent are not those that were meant"
    case "AuthorizationHeaderMalformed", "PermanentRedirect":
      "the bucket is in another region, which ?region= has to name"
    case "AccessDenied": "the access key has not the rights for it"
    case "SlowDown", "ServiceUnavailable": "the object store is too busy (\(status))"
    case "": "the object store answered \(status)"
    default: "the object store answered \(status) \(code): \(message)"
    }
  }
}
