import Server
import Wire

/// A fact about a channel that a request can ask for by `info`.
package enum ChannelAttribute: String, CaseIterable {
  /// The number of different users on it; of presence channels.
  case userCount = "user_count"
  /// The number of connections on it.
  case subscriptionCount = "subscription_count"
  /// The event that it keeps; of cache channels.
  case cache

  /// Reads a list with commas between.
  static func list(_ text: String?, at field: String = "info") throws(HTTPError) -> [ChannelAttribute] {
    var list: [ChannelAttribute] = []
    for word in text?.split(separator: ",") ?? [] {
      guard let attribute = ChannelAttribute(rawValue: word.filter { $0 != " " }) else {
        let known = allCases.map(\.rawValue).joined(separator: ", ")
        throw PusherEvent.refusal(field, "\"\(word.prefix(40))\"; \(known) are accepted")
      }
      list.append(attribute)
    }
    return list
  }

  /// True for a channel, or all with this prefix, that has such a fact.
  package func isThere(on channel: String) -> Bool {
    switch self {
    case .userCount: ChannelName(channel).isPresence
    case .subscriptionCount: true
    case .cache: ChannelName(channel).isCache
    }
  }

  /// - Throws: 400 for a channel that has no such fact.
  func check(on channel: String) throws(HTTPError) {
    guard isThere(on: channel) else {
      throw HTTPError(
        .attributeNotThere,
        channel.isEmpty ? "Not every channel has \(rawValue)." : "\(channel.prefix(80)) has no \(rawValue).",
        help: "user_count is of presence channels (filter_by_prefix=presence-), cache of cache channels.")
    }
  }
}

extension ChannelSummary {
  /// The facts that were asked for, as far as the channel has them.
  func json(_ attributes: [ChannelAttribute]) -> [JSON.Member] {
    attributes.filter { $0.isThere(on: name) }.map { attribute in
      let value: JSON =
        switch attribute {
        case .userCount: .int(users ?? 0)
        case .subscriptionCount: .int(subscriptions)
        case .cache: cached.map { ["data": .string($0.data), "ttl": .int($0.ttl)] } ?? .null
        }
      return JSON.Member(attribute.rawValue, value)
    }
  }
}
