public import Store
public import Wire

/// The topics of notifications, and those that rooms ring beside the ones of their plans, such as one for each
/// calendar; offered by the room that sends notifications.
public protocol BellTopics: Sendable {
  /// The first of these ids that is no topic's; nil if all are.
  func missing(among ids: [String], in database: Database) throws(StoreError) -> String?

  /// The people who have subscribed to a topic, each with what a bell's `to` has for them: the person, or one device of
  /// theirs alone; and agents that are nobody's, such as a loudspeaker in the room. No strangers.
  func subscribers(of topic: String, in database: Database) throws(StoreError) -> [(to: JSON, person: Int?)]

  /// Makes these the only topics of a room whose ids begin so; others of them go, with their subscriptions.
  func keep(_ topics: [BellTopic], of room: String, beginning prefix: String, in change: Change) throws
}

extension Offer where Value == any BellTopics {
  public static var bellTopics: Self { Self("bell-topics") }
}
