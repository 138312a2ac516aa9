import Crypto

/// The urgency of a message, by which a push service spares the battery of a phone (RFC 8030 section 5.3).
public enum PushUrgency: String, Sendable, CaseIterable {
  case veryLow = "very-low"
  case low, normal, high

  /// The urgency of a notification.
  /// - Parameters:
  ///   - level: its interruption level: passive, active, time-sensitive or critical; another counts as active.
  ///   - isUrgent: true for the priority high.
  public init(level: String, isUrgent: Bool) {
    switch level {
    case "critical", "time-sensitive": self = .high
    case "passive": self = isUrgent ? .low : .veryLow
    default: self = isUrgent ? .high : .normal
    }
  }
}

/// A message to one browser, before it is encrypted.
public struct PushMessage: Sendable {
  /// At most `WebPushLimits.plaintextBytes`.
  public var payload: [UInt8]
  /// Seconds since 1970 after which nobody wants it any more.
  public var expiresAt: Double
  public var urgency: PushUrgency
  /// Replaces an undelivered message of the same topic at the push service (RFC 8030 section 5.4): at most 32
  /// characters of base64url.
  public var topic: String?

  public init(payload: [UInt8], expiresAt: Double, urgency: PushUrgency, topic: String?) {
    self.payload = payload
    self.expiresAt = expiresAt
    self.urgency = urgency
    self.topic = topic
  }

  /// The topic that stands for a text of any length: the push service learns nothing of it.
  public static func topic(_ text: String) -> String { Digest.base64URL(Array(Digest.sha256(text.utf8).prefix(24))) }

  /// Whole seconds that the push service is to keep it; nil when it has expired.
  package func timeToLive(now: Double) -> Int? {
    guard expiresAt > now else { return nil }
    return Int(min(expiresAt - now, Double(WebPushLimits.timeToLive)).rounded(.up))
  }
}
