public import Server
import Wire

extension Request {
  /// True if the request has a precondition, so that the current state has to be read.
  public var isConditional: Bool { head.fields["if-match"] != nil || head.fields["if-none-match"] != nil }

  /// Checks a write's precondition, so that two people who save at once do not overwrite each other unseen: the second
  /// has, in If-Match, the version that it began with. To be called inside the change.
  /// - Parameters:
  ///   - etag: of the current state, without quotes; nil if there is none.
  ///   - what: such as "the settings".
  ///   - now: seconds since 1970.
  /// - Throws: 412 if the condition does not hold.
  public func demand(unchanged etag: String?, _ what: String, now: Double) throws(HTTPError) {
    guard head.precondition(exists: etag != nil, etag: etag, now: Int(now)) == .proceed else {
      throw HTTPError(
        .preconditionFailed, "Somebody else has changed \(what) since.",
        help: "Get the newest version, put both together, and send them with its ETag in If-Match.")
    }
  }
}
