package import Delivery
package import Wire

/// The meaning of an answer of Apple's service.
package struct AppleAnswer: Equatable, Sendable {
  package var status: Int
  /// Such as "BadDeviceToken"; empty if there is none.
  package var reason: String
  /// Since when the device's token is not valid any more, in seconds since 1970.
  package var since: Double?
  /// Seconds that the service asks to wait.
  package var retryAfter: Double?

  package init(_ answer: HTTP2Answer, now: Double) {
    let json = try? JSON(parsing: answer.body)
    status = answer.status
    // It stands in traces and in the doctor's report.
    reason = String((json?["reason"]?.string ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(60))
    since = json?["timestamp"]?.number.map { $0 / 1_000 }
    retryAfter = answer["retry-after"].flatMap {
      RetryAfter.seconds($0, now: now, longest: APNsSenderLimits.retryAfterSeconds)
    }
  }

  /// True if another token of the hub may help.
  var wantsNewToken: Bool { status == 403 && reason == "ExpiredProviderToken" }

  /// True if the fault lies in the key or certificate, not in one message or device.
  var isAboutAccount: Bool { status == 403 || reason == "TopicDisallowed" || reason == "TooManyProviderTokenUpdates" }

  /// True if the registration does not fit the app or the environment.
  var isAboutRegistration: Bool {
    status == 400 && ["BadDeviceToken", "DeviceTokenNotForTopic", "BadTopic"].contains(reason)
  }

  var detail: String { reason.isEmpty ? "\(status)" : "\(status) \(reason)" }

  /// The outcome in the words of traces.
  package func outcome(isCut: Bool) -> Outcome {
    switch status {
    case 200: .sent(isCut ? .cut : nil)
    case 410: .gone(.appGone)
    case 413: .failed(.tooLarge)
    // 403: the hub's clock may be right by then, or the key another one.
    case 403, 429, 500...599: .retry(after: retryAfter, .pushService, detail: detail)
    // The connection had been idle for too long: the next one is new.
    case 400 where reason == "IdleTimeout": .retry(.pushService, detail: detail)
    default: .failed(.pushService, detail: detail)
    }
  }
}
