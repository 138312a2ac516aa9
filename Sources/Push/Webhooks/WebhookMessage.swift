import CivilTime
package import Delivery
package import Wire

/// The body of a request to a webhook, version 1.
package enum WebhookMessage {
  /// The id of a message, the same at each attempt. A changed notification is another message.
  package static func id(_ message: Outgoing) -> String { "msg_\(message.id)_\(message.version)" }

  /// The type of what has happened, the time at which the notification was sent, the notification, and its `text` for
  /// chats, most of which refuse a message without one.
  /// - Parameters:
  ///   - url: the receiver's address. Slack reads its `text` as markup, in which anybody could ring a whole channel.
  ///   - isGerman: true for the hub's own words in German.
  package static func body(_ message: Outgoing, to url: String = "", isGerman: Bool = false) -> JSON {
    var data: [JSON.Member] = [
      .init("v", 1), .init("id", .string("\(message.id)")), .init("version", .int(message.version)),
    ]
    let type: String
    var text: String
    switch message.work {
    case .show(let content):
      type = "notification"
      let shown = read(content)
      text = lines(of: shown, isGerman).joined(separator: "\n")
      data.append(.init("content", shown))
      if let collapse = message.collapseID { data.append(.init("collapse_id", .string(collapse))) }
      if let topic = message.topic { data.append(.init("topic", .string(topic))) }
      data.append(.init("priority", .string(message.priority.name)))
      if let end = message.expiresAt { data.append(.init("expires_at", .string(time(end)))) }
      if message.ringsAgain { data.append(.init("again", true)) }
    case .withdraw(let reason):
      type = "notification.withdrawn"
      let words = reason.words(nil)
      let shown = lines(of: read(message.withdrawn ?? ""), isGerman)[0]
      text = "\(shown): \(isGerman ? words.german : words.english)"
      data.append(.init("reason", .string(reason.rawValue)))
    }
    if slack.contains(where: url.lowercased().hasPrefix) { text = escapedForSlack(text) }
    return [
      "type": .string(type), "timestamp": .string(time(message.sentAt)), "text": .string(text), "data": .object(data),
    ]
  }

  /// Slack's, and that of its service for authorities.
  private static let slack = ["https://hooks.slack.com/", "https://hooks.slack-gov.com/"]

  /// These three characters alone (docs.slack.dev, "Formatting message text").
  private static func escapedForSlack(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The hub itself wrote this text. If it cannot be read, it counts as empty.
  private static func read(_ content: String) -> JSON { (try? JSON(parsing: content)) ?? [:] }

  /// One line at least.
  private static func lines(of content: JSON, _ isGerman: Bool) -> [String] {
    let lines = ["title", "subtitle", "body"].compactMap { content[$0]?.string }.filter { !$0.isEmpty }
    return lines.isEmpty ? [isGerman ? "Eine Mitteilung" : "A notification"] : lines
  }

  private static func time(_ instant: Double) -> String { timestamp(EpochSeconds(instant), in: .utc) }
}
