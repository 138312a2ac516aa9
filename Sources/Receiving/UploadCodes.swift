public import Server
public import Uploads

/// The codes by which a room refuses uploads: each is a status of tus, and a number of the room's own behind it.
public struct UploadCodes: Sendable {
  private let number: Int

  /// - Parameter number: the last two digits of all of these codes, such as 75 for 40075, 40475 and so on.
  public init(number: Int) { self.number = number }

  private func code(_ status: Int) -> ErrorCode { ErrorCode(status * 100 + number) }

  public var all: [ErrorCode] { (UploadRefusal.Reason.allCases.map(\.rawValue) + [404, 429]).map(code) }
  public var tooLarge: ErrorCode { code(413) }

  /// The answer to a request that is refused.
  public func refusal(_ refusal: UploadRefusal) -> HTTPError {
    HTTPError(
      code(refusal.status), refusal.message, help: refusal.help,
      fields: refusal.fields.map { Response.Field($0.name, $0.value) })
  }

  /// Runs what may refuse an upload.
  public func checked<T>(_ work: () throws(UploadRefusal) -> T) throws(HTTPError) -> T {
    do throws(UploadRefusal) { return try work() } catch { throw refusal(error) }
  }

  public var noUpload: HTTPError {
    HTTPError(code(404), "There is no such upload of yours.", help: "Make a new one by POST.")
  }

  /// - Parameter most: unfinished uploads of one sender.
  public func tooMany(_ most: Int) -> HTTPError {
    HTTPError(
      code(429), "There are too many unfinished uploads.",
      help: "Finish those that have begun, or end them: \(most) of one sender may wait.",
      fields: [Response.Field("Retry-After", "30")])
  }
}
