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

  /// True for the id of a topic: lower-case letters, digits, "-" and ".", beginning with a letter or digit.
  public static func isID(_ text: String) -> Bool {
    (1...IdentityLimits.topicID).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasPrefix(".")
      && text.utf8.allSatisfy { byte in
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      }
  }

  /// The accepted ids in words.
  public static let accepted =
    "1 to \(IdentityLimits.topicID) lower-case letters, digits, \"-\" and \".\" are accepted."

  static func text(_ topics: [String]?) -> String? { topics.map { JSON.array($0.map(JSON.string)).text } }

  /// What cannot be read is a limit to nothing.
  static func list(_ text: String?) -> [String]? {
    text.map { text in (try? JSON(parsing: text))?.array?.compactMap(\.string) ?? [] }
  }
}
