/// The limits of rules, each with its reason.
enum RuleLimits {
  /// Values of a choice: a schema is read whole.
  static let choices = 200
  /// Characters of a value that an error repeats.
  static let shown = 60
}
