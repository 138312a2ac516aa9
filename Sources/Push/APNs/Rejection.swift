public import Wire

/// The reasons that APNs gives for not taking a push, with the spelling of its answers.
public enum RejectionReason: String, CaseIterable, Sendable {
  case badCollapseId = "BadCollapseId"
  case badDeviceToken = "BadDeviceToken"
  case badExpirationDate = "BadExpirationDate"
  case badMessageId = "BadMessageId"
  case badPriority = "BadPriority"
  case badTopic = "BadTopic"
  case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
  case duplicateHeaders = "DuplicateHeaders"
  case idleTimeout = "IdleTimeout"
  case invalidPushType = "InvalidPushType"
  case missingDeviceToken = "MissingDeviceToken"
  case missingTopic = "MissingTopic"
  case payloadEmpty = "PayloadEmpty"
  case topicDisallowed = "TopicDisallowed"
  case badCertificate = "BadCertificate"
  case badCertificateEnvironment = "BadCertificateEnvironment"
  case expiredProviderToken = "ExpiredProviderToken"
  case forbidden = "Forbidden"
  case invalidProviderToken = "InvalidProviderToken"
  case missingProviderToken = "MissingProviderToken"
  case badEnvironmentKeyIdInToken = "BadEnvironmentKeyIdInToken"
  case unrelatedKeyIdInToken = "UnrelatedKeyIdInToken"
  case badPath = "BadPath"
  case methodNotAllowed = "MethodNotAllowed"
  case expiredToken = "ExpiredToken"
  case unregistered = "Unregistered"
  case payloadTooLarge = "PayloadTooLarge"
  case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
  case tooManyRequests = "TooManyRequests"
  case internalServerError = "InternalServerError"
  case serviceUnavailable = "ServiceUnavailable"
  case shutdown = "Shutdown"

  /// The status of the answer.
  public var status: Int {
    switch self {
    case .badCollapseId, .badDeviceToken, .badExpirationDate, .badMessageId, .badPriority, .badTopic,
      .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken, .missingTopic,
      .payloadEmpty, .topicDisallowed:
      400
    case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden, .invalidProviderToken,
      .missingProviderToken, .badEnvironmentKeyIdInToken, .unrelatedKeyIdInToken:
      403
    case .badPath: 404
    case .methodNotAllowed: 405
    case .expiredToken, .unregistered: 410
    case .payloadTooLarge: 413
    case .tooManyProviderTokenUpdates, .tooManyRequests: 429
    case .internalServerError: 500
    case .serviceUnavailable, .shutdown: 503
    }
  }

  /// The reason for an answer of the server itself, which knows no reasons.
  public init(status: Int) {
    self =
      switch status {
      case 404, 414: .badPath
      case 405: .methodNotAllowed
      case 408: .idleTimeout
      case 413: .payloadTooLarge
      case 429: .tooManyRequests
      case 500: .internalServerError
      case 501...599: .serviceUnavailable
      default: .forbidden
      }
  }
}

/// A push that is not taken.
public struct Rejection: Error, Equatable, Sendable {
  public var reason: RejectionReason
  /// Since when the device's token is not valid any more, in seconds since 1970.
  public var since: Double?

  public init(_ reason: RejectionReason, since: Double? = nil) {
    self.reason = reason
    self.since = since
  }

  /// The body of the answer. Its time is in milliseconds.
  public var json: JSON {
    var members = [JSON.Member("reason", .string(reason.rawValue))]
    if let since { members.append(.init("timestamp", .int(Int((since * 1_000).rounded(.down))))) }
    return .object(members)
  }
}
