public import Server
public import Uploads

/// The codes by which a room refuses uploads: the reasons are those of tus, the numbers the room's own.
public struct UploadCodes: Sendable {
  public var malformed: ErrorCode
  public var offset: ErrorCode
  public var gone: ErrorCode
  public var version: ErrorCode
  public var tooLarge: ErrorCode
  public var mediaType: ErrorCode
  public var locked: ErrorCode
  public var checksum: ErrorCode
  public var noSuchUpload: ErrorCode
  public var tooMany: ErrorCode

  public init(
    malformed: ErrorCode, offset: ErrorCode, gone: ErrorCode, version: ErrorCode, tooLarge: ErrorCode,
    mediaType: ErrorCode, locked: ErrorCode, checksum: ErrorCode, noSuchUpload: ErrorCode, tooMany: ErrorCode
  ) {
    (self.malformed, self.offset, self.gone, self.version) = (malformed, offset, gone, version)
    (self.tooLarge, self.mediaType, self.locked, self.checksum) = (tooLarge, mediaType, locked, checksum)
    (self.noSuchUpload, self.tooMany) = (noSuchUpload, tooMany)
  }

  public var all: [ErrorCode] {
    [malformed, offset, gone, version, tooLarge, mediaType, locked, checksum, noSuchUpload, tooMany]
  }

  /// The answer to a request that is refused.
  public func refusal(_ refusal: UploadRefusal) -> HTTPError {
    let code: ErrorCode =
      switch refusal.reason {
      case .malformed, .notOffered: malformed
      case .wrongOffset: offset
      case .gone: gone
      case .version: version
      case .tooLarge: tooLarge
      case .mediaType: mediaType
      case .locked: locked
      case .checksum: checksum
      }
    return HTTPError(
      code, refusal.message, help: refusal.help, fields: refusal.fields.map { Response.Field($0.name, $0.value) })
  }

  public var noUpload: HTTPError {
    HTTPError(noSuchUpload, "There is no such upload of yours.", help: "Make a new one by POST.")
  }

  /// - Parameter most: unfinished uploads of one sender.
  public func tooMany(_ most: Int) -> HTTPError {
    HTTPError(
      tooMany, "There are too many unfinished uploads.",
      help: "Finish those that have begun, or end them: \(most) of one sender may wait.",
      fields: [Response.Field("Retry-After", "30")])
  }
}
