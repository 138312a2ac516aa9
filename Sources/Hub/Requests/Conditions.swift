public import Server
import Wire

extension Request {
  /// Whether it is carried out only if what it changes is what its sender took it for: worth looking at what is kept.
  public var isConditional: Bool { head.fields["if-match"] != nil || head.fields["if-none-match"] != nil }

  /// Two who save at once do not undo each other's changes unseen: the second named, in If-Match, the version that it
  /// began with. To be called inside the change.
  /// - Parameters:
  ///   - etag: of what is kept, without quotes; nil where nothing is.
  ///   - what: such as "the settings".
  ///   - now: seconds since 1970.
  /// - Throws: 412 where the condition does not hold.
  public func demand(unchanged etag: String?, _ what: String, now: Double) throws(HTTPError) {
    guard head.precondition(exists: etag != nil, etag: etag, now: Int(now)) == .proceed else {
      throw HTTPError(
        .preconditionFailed, "Somebody else has changed \(what) since.",
        help: "Get the newest version, put both together, and send them with its ETag in If-Match.")
    }
  }
}
