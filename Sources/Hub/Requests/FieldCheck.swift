public import Server
public import Wire

/// Checks an object field by field and collects all faults, so that the sender can correct them at once. Rooms add
/// checks of their own by extensions.
public struct FieldCheck {
  /// The name for faults of the object as a whole.
  static let whole = "body"

  public private(set) var errors: [FieldError] = []
  private let json: JSON
  private let nullIsNothing: Bool

  /// - Parameters:
  ///   - known: the fields that exist; others are refused.
  ///   - nullIsNothing: true to treat null as missing, as in settings, which are sent as they were read. Otherwise null
  ///     is refused: it may be meant as "remove it", which such a request cannot do.
  public init(_ json: JSON, known: [String], nullIsNothing: Bool = false) {
    self.json = json
    self.nullIsNothing = nullIsNothing
    guard let members = json.members else {
      fail(Self.whole, "\(json.kind); an object is accepted.")
      return
    }
    for member in members.lazy.filter({ !known.contains($0.name) }).prefix(RequestLimits.unknownFields) {
      fail(member.name, "unknown; \(known.joined(separator: ", ")) \(known.count == 1 ? "is" : "are") accepted.")
    }
  }

  /// Checks a request's body.
  /// - Parameter mayBeEmpty: true to take a request without a body for an empty object.
  /// - Throws: 400 for a body that is not JSON.
  public init(
    _ request: Request, known: [String], nullIsNothing: Bool = false, mayBeEmpty: Bool = false
  ) throws(HTTPError) {
    let json = mayBeEmpty && request.body.isEmpty ? .object([]) : try request.json()
    self.init(json, known: known, nullIsNothing: nullIsNothing)
  }

  /// The field's value as sent.
  public subscript(_ field: String) -> JSON? { json[field] }

  /// True if a field was sent, whatever its value.
  public func has(_ field: String) -> Bool { json[field] != nil }

  public mutating func fail(_ field: String, _ words: String) { errors.append(FieldError(field, words)) }

  public mutating func fail(_ field: String, _ reason: Reason) { errors.append(FieldError(field, reason)) }

  public mutating func fail(
    _ field: String, _ kind: Reason.Kind, _ values: KeyValuePairs<String, Reason.Value> = [:]
  ) {
    errors.append(FieldError(field, Reason(kind, values)))
  }

  /// - Throws: 400 with all faults, if there are any.
  public func finish(help: String) throws(HTTPError) {
    if !errors.isEmpty { throw FieldErrors(errors).refusal(help: help) }
  }

  // MARK: Fields

  /// The field's value, if there is one.
  /// - Parameter accepted: such as "a text".
  public mutating func value(_ field: String, isNeeded: Bool, accepted: @autoclosure () -> String) -> JSON? {
    guard json.members != nil else { return nil }
    if let value = json[field], value != .null || !nullIsNothing { return value }
    if isNeeded {
      fail(
        field, .fieldMissing, ["seen": .text(json[field] == nil ? "missing" : "null"), "accepted": .text(accepted())])
    }
    return nil
  }

  /// A text of any number of lines; nil for an empty one.
  public mutating func text(_ field: String, longest: Int, isNeeded: Bool = false) -> String? {
    guard let text = anyText(field, isNeeded: isNeeded, accepted: "a text") else { return nil }
    guard Self.fits(text, longest) else {
      fail(field, .fieldTooLong, ["count": .number(text.count), "limit": .number(longest)])
      return nil
    }
    if text.isEmpty, isNeeded { fail(field, .fieldEmpty) }
    return text.isEmpty ? nil : text
  }

  /// A name: one line, trimmed, without invisible characters.
  public mutating func line(
    _ field: String, longest: Int = RequestLimits.name, isNeeded: Bool = false
  ) -> String? {
    guard let text = anyText(field, isNeeded: isNeeded, accepted: "a text of 1 to \(longest) characters") else {
      return nil
    }
    if let line = Self.line(text, longest: longest) { return line }
    if !Self.fits(text, longest) {
      // Counting characters takes long, so bytes are limited first.
      let count = text.utf8.count > longest * 8 ? text.utf8.count : text.count
      fail(field, .fieldLength, ["count": .number(count), "limit": .number(longest)])
    } else if text.unicodeScalars.contains(where: Self.isControl) {
      fail(field, .fieldControl, ["limit": .number(longest)])
    } else {
      fail(field, .fieldEmpty)
    }
    return nil
  }

  private mutating func anyText(
    _ field: String, isNeeded: Bool, accepted: @autoclosure () -> String
  ) -> String? {
    guard let value = value(field, isNeeded: isNeeded, accepted: accepted()) else { return nil }
    if let text = value.string { return text }
    fail(field, "\(value.kind); a text is accepted.")
    return nil
  }

  public mutating func number(_ field: String, in range: ClosedRange<Double>, isNeeded: Bool = true) -> Double? {
    let (first, last) = (Int(range.lowerBound), Int(range.upperBound))
    guard let value = value(field, isNeeded: isNeeded, accepted: "a number from \(first) to \(last)") else {
      return nil
    }
    if let number = value.number, range.contains(number) { return number }
    fail(field, .fieldNoNumber, Self.outside(value, first, last))
    return nil
  }

  /// An integer.
  public mutating func int(_ field: String, in range: ClosedRange<Int>, isNeeded: Bool = false) -> Int? {
    let (first, last) = (range.lowerBound, range.upperBound)
    guard let value = value(field, isNeeded: isNeeded, accepted: "a whole number from \(first) to \(last)") else {
      return nil
    }
    if let number = value.int, range.contains(number) { return number }
    fail(field, .fieldNoWhole, Self.outside(value, first, last))
    return nil
  }

  /// An id, in the form of answers (`JSON(id:)`).
  public mutating func id(_ field: String) -> Int? {
    guard let value = value(field, isNeeded: false, accepted: "an id") else { return nil }
    if let text = value.string, let id = Int(text), id > 0, id <= Int32.max, String(id) == text { return id }
    fail(field, "\(value.string == nil ? value.kind : value.text); an id is accepted, as text: \"7\".")
    return nil
  }

  private static func outside(_ value: JSON, _ first: Int, _ last: Int) -> KeyValuePairs<String, Reason.Value> {
    ["seen": .text(value.number == nil ? value.kind : value.text), "first": .number(first), "last": .number(last)]
  }

  public mutating func flag(_ field: String) -> Bool? {
    guard let value = value(field, isNeeded: true, accepted: "true or false") else { return nil }
    if let flag = value.bool { return flag }
    fail(field, "\(value.kind); true or false is accepted.")
    return nil
  }

  /// One of several words.
  public mutating func choice<Choice: RawRepresentable<String>>(
    _ field: String, among choices: [Choice], isNeeded: Bool = false
  ) -> Choice? {
    func accepted() -> String { choices.map(\.rawValue).joined(separator: ", ") }
    guard let value = value(field, isNeeded: isNeeded, accepted: "one of \(accepted())") else { return nil }
    if let word = value.string, let choice = choices.first(where: { $0.rawValue == word }) { return choice }
    let seen = value.string.map { "\"\($0.prefix(40))\"" } ?? value.kind
    fail(field, .fieldNoChoice, ["seen": .text(seen), "accepted": .text(accepted())])
    return nil
  }

  /// - Parameter what: the elements of the list, such as "addresses".
  public mutating func list(_ field: String, of what: String, atMost limit: Int, isNeeded: Bool = false) -> [JSON]? {
    let accepted = "a list of at most \(limit) \(what)"
    guard let value = value(field, isNeeded: isNeeded, accepted: accepted) else { return nil }
    if let list = value.array, list.count <= limit { return list }
    fail(field, "\(value.array.map { "\($0.count) \(what)" } ?? value.kind); \(accepted) is accepted.")
    return nil
  }

  /// An http: or https: address.
  public mutating func webAddress(_ field: String, longest: Int) -> String? {
    guard let text = text(field, longest: longest) else { return nil }
    if WebAddress.isValid(text, schemes: ["http", "https"]) { return text }
    fail(field, .fieldNoAddress, ["seen": .text(text)])
    return nil
  }
}
