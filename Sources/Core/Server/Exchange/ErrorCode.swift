/// A kind of error: the HTTP status and an ordinal. Clients may rely on these numbers, so a number is never given a
/// second meaning. Each module declares its own codes in extensions; a room's stand in its plan.
public struct ErrorCode: Hashable, Sendable {
  public let rawValue: Int

  public init(_ rawValue: Int) { self.rawValue = rawValue }

  /// The HTTP status.
  public var status: Int { rawValue / 100 }
}

/// Errors of the server itself, and those that mean the same everywhere.
extension ErrorCode {
  public static let malformedRequest = Self(40001)
  public static let invalidJSON = Self(40002)
  public static let invalidField = Self(40003)
  public static let invalidQuery = Self(40004)
  public static let roleNotAllowed = Self(40301)
  public static let noSuchPage = Self(40401)
  public static let methodNotAllowed = Self(40501)
  public static let tooSlow = Self(40801)
  public static let tooMany = Self(40921)
  public static let preconditionFailed = Self(41201)
  public static let bodyTooLarge = Self(41301)
  public static let targetTooLong = Self(41401)
  public static let rangeNotSatisfiable = Self(41601)
  public static let upgradeRequired = Self(42601)
  public static let tooManyConnections = Self(42901)
  public static let tooOften = Self(42902)
  public static let headTooLarge = Self(43101)
  public static let failed = Self(50001)
  public static let notImplemented = Self(50101)
  public static let tooBusy = Self(50301)
  public static let unsupportedVersion = Self(50501)
  public static let diskFull = Self(50701)

  /// All codes of the server.
  public static let ofServer: [ErrorCode] = [
    .malformedRequest, .invalidJSON, .invalidField, .invalidQuery, .roleNotAllowed, .noSuchPage, .methodNotAllowed,
    .tooSlow, .tooMany, .preconditionFailed, .bodyTooLarge, .targetTooLong, .rangeNotSatisfiable, .upgradeRequired,
    .tooManyConnections, .tooOften, .headTooLarge, .failed, .notImplemented, .tooBusy, .unsupportedVersion, .diskFull,
  ]
}
