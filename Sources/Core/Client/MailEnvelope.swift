/// The envelope of a mail (RFC 5321): with one, a request's body is handed to a mail server instead of a web server, by
/// `smtp://host:port` or `smtps://host:port`.
public struct MailEnvelope: Sendable {
  public var from: String
  /// Nil to greet the server, sign in, name the sender and take leave, as a trial: the body means nothing then.
  public var to: String?
  /// The name and password with which the mail server is asked; nil for one that asks for none.
  public var user: String?
  public var password: String?
  /// True if the mail must not go in the clear. Otherwise it is encrypted if the server can.
  public var needsTLS: Bool

  public init(from: String, to: String?, user: String? = nil, password: String? = nil, needsTLS: Bool = false) {
    self.from = from
    self.to = to
    self.user = user
    self.password = password
    self.needsTLS = needsTLS
  }

  /// True for an address with nothing in it that would end a command of SMTP early, or begin another.
  static func isAddress(_ text: String) -> Bool {
    text.utf8.count <= ClientLimits.mailAddressBytes && text.utf8.contains(UInt8(ascii: "@"))
      && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"<>,;:\"\\()[]".utf8.contains($0) }
  }
}
