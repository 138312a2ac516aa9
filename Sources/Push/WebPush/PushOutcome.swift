package import Client
public import Wire

/// The result of sending one message.
public enum PushOutcome: Equatable, Sendable {
  /// The push service has taken it.
  case sent
  /// The subscription does not exist any more, and is to be removed.
  case gone
  /// The push service wants it later, after so many seconds if it says when (401, 403, 406, 408, 429, 5xx).
  case busy(status: Int, retryAfter: Double?)
  /// No answer came; it may help to try again.
  case unreachable(Reason)
  /// The name of the push service leads to an address that the hub does not connect to. So does each name where a name
  /// server has no line to the Internet and answers with an address of its own: it may help to try again.
  case ledInside
  /// Trying again would not help.
  case failed(PushFailure)
}

/// The reason why a message cannot be sent.
public enum PushFailure: Error, Equatable, Sendable {
  /// It is too large, by our own limit or by the push service's.
  case tooLarge
  /// The endpoint's address is a number that the hub does not connect to.
  case targetRefused
  /// The push service refused it with this status.
  case refused(status: Int)
  /// The answer has no end, or is none of HTTP.
  case badAnswer
  /// It had expired before it could be sent.
  case expired
}

extension PushOutcome {
  /// The outcome by the push service's answer.
  package init(status: Int, retryAfter: String?, now: Double) {
    switch status {
    case 200..<300: self = .sent
    case 404, 410: self = .gone
    case 413: self = .failed(.tooLarge)
    // 401 and 403: the token, signed anew. A service that mistrusts it, or has a wrong clock, may take it then. 406 is
    // what Microsoft's says in the place of 429.
    case 401, 403, 406, 408, 429, 500..<600:
      self = .busy(
        status: status,
        retryAfter: retryAfter.flatMap { RetryAfter.seconds($0, now: now, longest: WebPushLimits.retryAfterSeconds) })
    default: self = .failed(.refused(status: status))
    }
  }

  package init(_ error: FetchError) {
    switch error {
    case .refusedAddress: self = .failed(.targetRefused)
    case .address, .malformed, .tooLarge, .tooManyFields: self = .failed(.badAnswer)
    case .transfer, .timeout, .stalled, .cancelled: self = .unreachable(error.publicExplanation)
    }
  }
}
