import Crypto
public import Wire

/// An address of the hub at which another program posts any JSON, which becomes a notification.
public struct IncomingHook: Equatable, Sendable {
  public var id: Int
  public var name: String
  /// The recipients, as in a notification that is sent.
  public var to: JSON
  public var template: ContentTemplate
  /// Whoever made it, such as "token 7" or "person 3"; nil for a command.
  public var maker: String?
  /// Seconds since 1970.
  public var createdAt: Double
  /// The time at which it was used last, give or take an hour; nil if it never was.
  public var usedAt: Double?

  /// The beginning of the path of all hooks; the secret follows.
  public static let path = "/api/v1/hooks/"

  /// A new secret; 192 bits cannot be guessed.
  public static func newSecret() -> String { Digest.base64URL(Digest.random(24)) }
}
