import Client
public import Wire

/// What came of sending one message.
public enum PushOutcome: Equatable, Sendable {
  /// The push service has taken it.
  case sent
  /// The subscription does not exist any more, and is to be removed.
  case gone
  /// The push service wants it later, after so many seconds if it says when (408, 429, 5xx).
  case busy(status: Int, retryAfter: Double?)
  /// No answer came; it may help to try again.
  case unreachable(Reason)
  /// Trying again would not help.
  case failed(PushFailure)
}

/// The reason why a message cannot be sent.
public enum PushFailure: Error, Equatable, Sendable {
  /// It is too large, by our own limit or by the push service's.
  case tooLarge
  /// The endpoint's address is one that the hub does not connect to.
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
  init(status: Int, retryAfter: String?, now: Double) {
    switch status {
    case 200..<300: self = .sent
    case 404, 410: self = .gone
    case 413: self = .failed(.tooLarge)
    case 408, 429, 500..<600:
      self = .busy(status: status, retryAfter: retryAfter.flatMap { Self.seconds($0, now: now) })
    default: self = .failed(.refused(status: status))
    }
  }

  init(_ error: FetchError) {
    switch error {
    case .refusedAddress: self = .failed(.targetRefused)
    // The address was checked; libcurl also says so of a server that answers in another protocol than HTTP.
    case .address, .malformed, .tooLarge, .tooManyFields: self = .failed(.badAnswer)
    case .transfer, .timeout, .stalled, .cancelled: self = .unreachable(error.publicExplanation)
    }
  }

  /// Seconds that a field `Retry-After` asks for (RFC 9110 section 10.2.3); nil for what is no number and no date.
  static func seconds(_ text: String, now: Double) -> Double? {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
    // A number that is too long for an Int is a long time, too.
    let seconds = isNumber ? Double(text) : HTTPDate.seconds(text, now: Int(now)).map { Double($0) - now }
    return seconds.map { min(max($0, 0), WebPushLimits.retryAfterSeconds) }
  }
}
