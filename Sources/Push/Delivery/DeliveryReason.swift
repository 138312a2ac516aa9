/// The reasons in a trace: a code that never changes, and the words in English. Pages have words for all codes.
public enum DeliveryReason: String, CaseIterable, Sendable {
  case quietHours = "quiet_hours"
  case collapsed
  case queueFull = "queue_full"
  case answeredElsewhere = "answered_elsewhere"
  case takenBack = "taken_back"
  case expired
  case subscriptionGone = "subscription_gone"
  case silentNotSent = "silent_not_sent"
  case tooLarge = "too_large"
  case deviceRemoved = "device_removed"
  case channelRemoved = "channel_removed"
  case targetRefused = "target_refused"
  case pushService = "push_service"
  case unreachable
  case deviceFailed = "device_failed"
  case cut
  case topicReplaced = "topic_replaced"

  /// The sentence, with its detail in it: the end of quiet hours, a status, another program's words.
  public func text(_ detail: String?) -> String {
    let detail = detail.flatMap { $0.isEmpty ? nil : $0 }
    switch self {
    case .quietHours: return "quiet hours" + (detail.map { " until \($0)" } ?? "")
    case .collapsed: return "a newer one took its place"
    case .queueFull: return "too many were waiting for this device"
    case .answeredElsewhere: return "answered on another device"
    case .takenBack: return "taken back by its sender"
    case .expired: return "its time was over"
    case .subscriptionGone: return "the browser's push service says that the subscription has ended"
    case .silentNotSent: return "browsers must show something for each push, and there is nothing to show"
    case .tooLarge: return "too large for this channel"
    case .deviceRemoved: return "the device was removed"
    case .channelRemoved: return "notifications were switched off on the device"
    case .targetRefused: return "the push service's address leads into a private network"
    case .pushService: return "the push service refused it" + (detail.map { ": \($0)" } ?? "")
    case .unreachable: return "the push service could not be reached" + (detail.map { ": \($0)" } ?? "")
    case .deviceFailed: return "the device could not show it" + (detail.map { ": \($0)" } ?? "")
    case .cut: return "shortened, since it was too large for this channel"
    case .topicReplaced: return "replaced at the push service; the device may have shown it before"
    }
  }
}
