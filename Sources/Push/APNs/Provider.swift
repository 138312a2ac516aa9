public import Crypto

/// A program that sends in the manner of APNs.
public struct Provider: Equatable, Sendable {
  /// The proof of who it is.
  public enum Credential: Equatable, Sendable {
    /// The id and the public half of the key that signs its tokens.
    case key(id: String, P256PublicKey)
    /// SHA-256 of its certificate, and the end of that in seconds since 1970.
    case certificate(fingerprint: [UInt8], until: Double)
  }

  /// 0 until it is added.
  public var id: Int
  public var team: String
  public var credential: Credential
  /// The bundle ids of the apps to which it may send.
  public var topics: [String]
  /// Seconds since 1970.
  public var createdAt: Double

  public init(id: Int = 0, team: String, credential: Credential, topics: [String], createdAt: Double) {
    self.id = id
    self.team = team
    self.credential = credential
    self.topics = topics
    self.createdAt = createdAt
  }

  /// The name by which people know it: the id of its key, or the beginning of its certificate's fingerprint.
  public var name: String {
    switch credential {
    case .key(let id, _): id
    case .certificate(let fingerprint, _): Digest.hex(fingerprint.prefix(5)).uppercased()
    }
  }

  /// The end of its certificate, in seconds since 1970; nil for a key, which has none.
  public var end: Double? {
    guard case .certificate(_, let until) = credential else { return nil }
    return until
  }

  /// The topic of a push.
  /// - Parameter sent: the one in the request; it may be left out by a provider with one app and a certificate.
  /// - Throws: `MissingTopic`, `BadTopic`, or `TopicDisallowed` for an app that is not the provider's.
  func topic(_ sent: String?, type: PushType?) throws(Rejection) -> PushTopic {
    guard let name = sent ?? only(for: type) else { throw Rejection(.missingTopic) }
    let topic = try PushTopic(name, type: type)
    guard topics.contains(topic.bundle) else { throw Rejection(.topicDisallowed) }
    return topic
  }

  private func only(for type: PushType?) -> String? {
    guard case .certificate = credential, topics.count == 1 else { return nil }
    return topics[0] + (type?.suffix ?? "")
  }

  /// A new key id: ten capital letters and digits.
  public static func newKeyID() -> String {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
    let chosen = Digest.random(APNsLimits.idCharacters).map { letters[Int($0) % letters.count] }
    return String(decoding: chosen, as: UTF8.self)
  }
}
