/// The reason why a request is refused, in the words of tus 1.0.0.
public struct UploadRefusal: Error, Equatable, Sendable {
  /// Each is the status of its answer.
  public enum Reason: Int, CaseIterable, Sendable {
    /// A field of the request is missing or wrong, or of an extension that is not offered.
    case malformed = 400
    /// The bytes would be at another place.
    case wrongOffset = 409
    /// The upload has ended, expired or was removed.
    case gone = 410
    /// Another version of the protocol.
    case version = 412
    /// More bytes than are accepted, or than were announced.
    case tooLarge = 413
    /// Another Content-Type than application/offset+octet-stream.
    case mediaType = 415
    /// Another request is writing and does not let go.
    case locked = 423
    /// The bytes are not those that the client sent.
    case checksum = 460
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

  public var status: Int { reason.rawValue }
}

/// A field of an answer.
public struct UploadField: Equatable, Sendable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  static let version = UploadField("Tus-Resumable", Tus.version)
}
