public import Server

/// A mail that a room writes to one address, such as the one with a link for a new password.
public struct RoomMail: Equatable, Sendable {
  public var to: String
  public var title: String
  public var body: String
  /// The words of the link, and its address.
  public var link: String
  public var url: String
  /// The same for a mail that is sent again, and for no other: letters, digits, "." and "-".
  public var id: String
  /// The person whom an answer reaches, if they have confirmed an address of theirs; nil: it reaches nobody.
  public var writer: Int?

  /// The mail as its room has designed it; plain words and the link without one.
  public var design: Design?

  /// HTML with pictures, which it refers to as `cid:ID`.
  public struct Design: Equatable, Sendable {
    public var html: String
    public var pictures: [Picture]

    public init(html: String, pictures: [Picture]) { (self.html, self.pictures) = (html, pictures) }
  }

  /// A JPEG in the mail.
  public struct Picture: Equatable, Sendable {
    /// Letters and digits.
    public var id: String
    public var jpeg: [UInt8]

    public init(id: String, jpeg: [UInt8]) { (self.id, self.jpeg) = (id, jpeg) }
  }

  public init(to: String, title: String, body: String, link: String, url: String, id: String) {
    (self.to, self.title, self.body) = (to, title, body)
    (self.link, self.url, self.id) = (link, url, id)
  }
}

/// Hands mails to the owner's mail server; offered by the room that sends notifications, where there is such a server.
public protocol Mailer: Sendable {
  /// - Throws: 400 for what is no address, 502 if the mail server does not take it.
  func send(_ mail: RoomMail) async throws(HTTPError)
}

extension Offer where Value == any Mailer {
  public static var mailer: Self { Self("mailer") }
}
