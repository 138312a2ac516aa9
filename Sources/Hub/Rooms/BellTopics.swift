/// The topics that rooms ring beside those of their plans, such as one for each calendar; offered by the room that
/// sends notifications.
public protocol BellTopics: Sendable {
  /// Makes these the only topics of a room whose ids begin so; others of them go, with their subscriptions.
  func keep(_ topics: [BellTopic], of room: String, beginning prefix: String, in change: Change) throws
}

extension Offer where Value == any BellTopics {
  public static var bellTopics: Self { Self("bell-topics") }
}
