/// The reason why a request is refused, in the words of tus 1.0.0.
public struct UploadRefusal: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    /// A field of the request is missing or wrong: 400.
    case malformed
    /// Upload-Defer-Length or Upload-Concat, whose extensions are not offered: 400.
    case notOffered
    /// The bytes would be at another place: 409.
    case wrongOffset
    /// The upload has ended, expired or was removed: 410.
    case gone
    /// Another version of the protocol: 412.
    case version
    /// More bytes than are accepted, or than were announced: 413.
    case tooLarge
    /// Another Content-Type than application/offset+octet-stream: 415.
    case mediaType
    /// Another request is writing and does not let go: 423.
    case locked
    /// The bytes are not those that the client sent: 460.
    case checksum

    public var status: Int {
      switch self {
      case .malformed, .notOffered: 400
      case .wrongOffset: 409
      case .gone: 410
      case .version: 412
      case .tooLarge: 413
      case .mediaType: 415
      case .locked: 423
      case .checksum: 460
      }
    }
  }
  public var reason: Reason
  /// The failure and the value seen.
  public var message: String
  /// The accepted values.
  public var help: String
  /// Fields of the answer.
  public var fields: [UploadField]

  public init(_ reason: Reason, _ message: String, help: String, fields: [UploadField] = []) {
    (self.reason, self.message, self.help) = (reason, message, help)
    self.fields = [UploadField.version] + fields
  }

  public var status: Int { reason.status }
}

/// A field of an answer.
public struct UploadField: Equatable, Sendable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  static let version = UploadField("Tus-Resumable", Tus.version)
}
