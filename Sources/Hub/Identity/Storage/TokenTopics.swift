import Store
import Wire

/// Topics of notifications to which a token is limited.
public enum TokenTopics {
  static let migration = Migration(
    room: "hub", number: 11,
    sql: """
      -- A JSON list of topics' ids; NULL for a token without such a limit.
      ALTER TABLE tokens ADD COLUMN topics TEXT
      """)

  /// True for the id of a topic: letters, digits, "-", "_" and ".", beginning with a letter or digit. Capital and small
  /// letters differ, as programs for ntfy expect it.
  public static func isID(_ text: String) -> Bool {
    (1...IdentityLimits.topicID).contains(text.utf8.count) && !"-._".contains(text.first ?? "-")
      && text.isAlphanumeric(or: "-._")
  }

  /// The accepted ids in words.
  public static let accepted =
    "1 to \(IdentityLimits.topicID) letters, digits, \"-\", \"_\" and \".\" are accepted."

  static func text(_ topics: [String]?) -> String? { topics.map { JSON.array($0.map(JSON.string)).text } }

  /// A text that cannot be read allows no topic, so that a fault never gives a token more rights.
  static func list(_ text: String?) -> [String]? {
    text.map { text in (try? JSON(parsing: text))?.array?.compactMap(\.string) ?? [] }
  }
}
