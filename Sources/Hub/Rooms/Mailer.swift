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
