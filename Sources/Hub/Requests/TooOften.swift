public import Server

extension HTTPError {
  /// The refusal of what somebody does too often, which says when to come again.
  /// - Parameters:
  ///   - seconds: until then, as `TokenBuckets` has it.
  ///   - rest: the end of the sentence that begins with "Wait 7 s".
  public static func tooOften(_ error: String, wait seconds: Double, _ rest: String) -> HTTPError {
    let wait = max(1, Int(seconds.rounded(.up)))
    return HTTPError(
      .tooOften, error, help: "Wait \(wait) s\(rest)", fields: [Response.Field("Retry-After", "\(wait)")])
  }
}
