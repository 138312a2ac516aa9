import Wire

/// A key for Flickr's API and its secret, which its owner gets from Flickr for one program.
public struct FlickrKey: Equatable, Sendable {
  public var key: String
  public var secret: String

  /// Nil for what Flickr gives to nobody: empty, too long, or with other characters than letters and digits.
  public init?(key: String, secret: String) {
    for text in [key, secret] {
      guard text.isAlphanumeric(), (1...FlickrLimits.keyCharacters).contains(text.utf8.count) else { return nil }
    }
    (self.key, self.secret) = (key, secret)
  }
}

/// The permission of a person to read their account, private pictures included. It ends when they revoke it at Flickr.
public struct FlickrToken: Equatable, Sendable {
  public var token: String
  public var secret: String
  /// The person's id, such as 12037949754@N01.
  public var user: String
  public var name: String

  public init(token: String, secret: String, user: String, name: String) {
    (self.token, self.secret, self.user, self.name) = (token, secret, user, name)
  }
}

/// A token that asks for permission: good for one answer of a person, within some minutes.
public struct FlickrRequestToken: Equatable, Sendable {
  public var token: String
  public var secret: String

  public init(token: String, secret: String) { (self.token, self.secret) = (token, secret) }
}
