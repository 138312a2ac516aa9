public import Server
public import Wire

/// The fault of one field of a request: the value seen and what is accepted.
public struct FieldError: Error, Equatable, Sendable {
  /// The field's path, such as "lat" or "calendars[0].url".
  public var field: String
  /// The reason, without the field's name.
  public var reason: Reason

  /// A whole sentence that begins with the field.
  public var message: String { "\(field): \(reason.text)" }

  public init(_ field: String, _ reason: Reason) {
    self.field = field
    self.reason = reason
  }

  /// For mistakes that none of our pages makes: in English only.
  public init(_ field: String, _ words: String) {
    self.init(field, Reason(.notAccepted, ["words": .text(words)]))
  }

  /// The answer to a request without a form: one sentence.
  public func refusal(help: String) -> HTTPError {
    HTTPError(.invalidField, message, help: help, reason: reason)
  }
}

/// All faults of a request, in the order of the fields.
public struct FieldErrors: Error, Equatable, Sendable {
  public var errors: [FieldError]
  public var message: String { errors.map(\.message).joined(separator: " ") }

  public init(_ errors: [FieldError]) { self.errors = errors }

  /// The answer with which a form shows each fault beside its field.
  public func refusal(help: String) -> HTTPError {
    var refusal = HTTPError(.invalidField, message, help: help)
    refusal.problems = errors.filter { $0.field != FieldCheck.whole }.map { .init($0.field, $0.reason) }
    return refusal
  }

  /// Reads what a form asks for; its faults are the answer.
  public static func refused<Wish>(
    help: String, _ wish: @autoclosure () throws(FieldErrors) -> Wish
  ) throws(HTTPError) -> Wish {
    do throws(FieldErrors) {
      return try wish()
    } catch {
      throw error.refusal(help: help)
    }
  }
}

/// Mistakes that are possible in any form.
extension Reason.Kind {
  public static let notAccepted = Self("not-accepted", "{words}")
  public static let fieldMissing = Self("field-missing", "{seen}; {accepted} is needed.")
  public static let fieldEmpty = Self("field-empty", "empty; a text is needed.")
  public static let fieldTooLong = Self("field-too-long", "{count} characters; at most {limit} are accepted.")
  public static let fieldLength = Self("field-length", "{count} characters; 1 to {limit} are accepted.")
  public static let fieldControl = Self(
    "field-control", "a control character; 1 to {limit} characters that can be shown are accepted.")
  public static let fieldNoLine = Self(
    "field-no-line", "{kind}; a text of one line, of at most {limit} characters, is accepted.")
  public static let fieldNoNumber = Self("field-no-number", "{seen}; a number from {first} to {last} is accepted.")
  public static let fieldNoWhole = Self("field-no-whole", "{seen}; a whole number from {first} to {last} is accepted.")
  public static let fieldNoChoice = Self("field-no-choice", "{seen}; one of {accepted} is accepted.")
  public static let fieldNoAddress = Self(
    "field-no-address", "\"{seen}\"; an address that begins with http:// or https:// is accepted.")
  public static let fieldNoNetwork = Self("field-no-network", "{words}")
  public static let fieldNoColor = Self("field-no-color", "\"{seen}\"; a colour such as #0b5585 is accepted.")
  public static let fieldNoZone = Self("field-no-zone", "\"{seen}\"; an IANA name such as Europe/Berlin is accepted.")
  public static let fieldNoTime = Self(
    "field-no-time", "{seen}; a time from 1970 to 9998 such as 2026-11-20T23:00:00+01:00, or 23:00, is accepted.")
}
