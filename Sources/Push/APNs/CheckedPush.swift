public import Delivery
public import Wire

/// A push whose request keeps all rules of APNs: a notification for Delivery.
public struct CheckedPush: Equatable, Sendable {
  public let topic: PushTopic
  /// The content of the notification, which our own rules accept.
  public let content: JSON
  public let collapseID: String?
  /// Seconds since 1970.
  public let expiresAt: Double
  public let priority: Priority

  /// Checks a request by the rules that need neither the provider's key nor the device.
  /// - Parameters:
  ///   - provider: who sends, and has shown it.
  ///   - body: the payload.
  ///   - now: seconds since 1970.
  public init(_ head: PushHead, of provider: Provider, body: [UInt8], now: Double) throws(Rejection) {
    let fields = head.fields
    var type: PushType?
    if let name = fields.type {
      guard let known = PushType(rawValue: name) else { throw Rejection(.invalidPushType) }
      type = known
    }
    topic = try provider.topic(fields.topic, type: type)
    collapseID = try Self.collapseID(fields.collapseID)
    let (isUrgent, expiration) = (try Self.isUrgent(fields.priority, type), try Self.expiration(fields.expiration))
    switch expiration {
    case nil: expiresAt = now + APNsLimits.storedSeconds
    case 0: expiresAt = now + APNsLimits.attemptSeconds
    case let end?: expiresAt = min(end, now + APNsLimits.storedSeconds)
    }
    guard !body.isEmpty else { throw Rejection(.payloadEmpty) }
    guard body.count <= topic.type.payloadBytes else { throw Rejection(.payloadTooLarge) }
    guard let payload = try? JSON(parsing: body), let members = payload.members, !members.isEmpty else {
      throw Rejection(.payloadEmpty)
    }
    let made = PayloadContent(payload, text: body, isShown: topic.type.isShown)
    content = made.json
    // A push for the app alone may wait for a moment that suits the device, unless it is a call.
    priority = isUrgent && (!made.isSilent || topic.type == .voip || topic.type == .pushtotalk) ? .high : .normal
  }

  /// The notification for one device.
  /// - Parameter sender: as it stands in lists and traces, such as "provider ABCDE12345".
  public func submission(to device: Int, sender: String) -> Submission {
    Submission(
      to: [.device(device)], content: content, collapseID: collapseID, expiresAt: expiresAt, priority: priority,
      sender: sender, stays: true)
  }

  /// Bytes count, not characters. An empty one is none.
  private static func collapseID(_ text: String?) throws(Rejection) -> String? {
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.count <= APNsLimits.collapseBytes else { throw Rejection(.badCollapseId) }
    return text
  }

  /// 10 if nothing is said; a background push says 5 or 1, or nothing.
  private static func isUrgent(_ text: String?, _ type: PushType?) throws(Rejection) -> Bool {
    switch text {
    case nil: return type != .background
    case "10":
      guard type != .background else { throw Rejection(.badPriority) }
      return true
    case "5", "1": return false
    default: throw Rejection(.badPriority)
    }
  }

  /// Seconds since 1970; 0 for one attempt.
  private static func expiration(_ text: String?) throws(Rejection) -> Double? {
    guard let text else { return nil }
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let seconds = Int(text) else {
      throw Rejection(.badExpirationDate)
    }
    return Double(seconds)
  }
}
