/// The limits of rules, each with its reason.
enum RuleLimits {
  /// Values of a choice: a schema is read whole.
  static let choices = 200
  /// Unique rules of a class, each of which is an index that every write keeps, and fields of one.
  static let unique = 5
  static let uniqueFields = 1...2
  /// Bytes of a text as part of such an index; of a longer one it has the digest.
  static let uniqueText = 200
  /// Characters of a value that an error repeats.
  static let shown = 60
}
