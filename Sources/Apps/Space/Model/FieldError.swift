/// What is wrong with one field of what was sent: a whole sentence with the value seen and what is accepted.
package struct FieldError: Error, Equatable, Sendable {
  package var field: String
  package var message: String
  /// The message without the field's name.
  package var reason: String

  package init(_ field: String, _ message: String) {
    self.field = field
    self.message = "\(field): \(message)"
    reason = message
  }
}
