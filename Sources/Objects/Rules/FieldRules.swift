public import Wire

/// The rules for a field's value, beyond its type. A field that is missing meets all rules; `required` is for that.
public struct FieldRules: Equatable, Sendable {
  /// For numbers.
  public var least: Double?
  public var most: Double?
  /// Characters of a text, or members of a list.
  public var shortest: Int?
  public var longest: Int?
  /// A regular expression that is found in a text.
  public var pattern: RegularExpression?
  public var choices: [JSON]?
  public var dictionary: WordList?

  public static let names = ["min", "max", "minLength", "maxLength", "pattern", "oneOf", "dictionary"]

  /// Reads `{"minLength": 3, "dictionary": "german"}`.
  /// - Parameters:
  ///   - field: the name, for errors.
  ///   - type: that of its values: a rule that can never be met by it is refused.
  public init(_ json: JSON, field: String, type: FieldType) throws(ObjectError) {
    guard let members = json.members else {
      throw Self.fault(field, "rules are \(json.kind); an object is accepted.")
    }
    for member in members {
      let (name, value) = (member.name, member.value)
      if value == .null { continue }
      switch name {
      case "min": least = try Self.number(value, field, name)
      case "max": most = try Self.number(value, field, name)
      case "minLength": shortest = try Self.length(value, field, name)
      case "maxLength": longest = try Self.length(value, field, name)
      case "pattern": pattern = try Self.pattern(value, field)
      case "oneOf":
        guard let list = value.array, !list.isEmpty, list.count <= RuleLimits.choices else {
          throw Self.fault(field, "oneOf is no list of 1 to \(RuleLimits.choices) values.")
        }
        choices = list
      case "dictionary": dictionary = try Self.dictionary(value, field)
      default:
        let accepted = Self.names.joined(separator: ", ")
        throw Self.fault(field, "the rule \"\(name.prefix(RuleLimits.shown))\" is unknown; \(accepted) are accepted.")
      }
    }
    try fit(type, field)
  }

  private func fit(_ type: FieldType, _ field: String) throws(ObjectError) {
    if least != nil || most != nil, type != .number { throw Self.fault(field, "min and max are for numbers.") }
    if shortest != nil || longest != nil, type != .string, type != .array {
      throw Self.fault(field, "minLength and maxLength are for strings and arrays.")
    }
    if pattern != nil || dictionary != nil, type != .string {
      throw Self.fault(field, "pattern and dictionary are for strings.")
    }
    if let least, let most, least > most { throw Self.fault(field, "min is above max.") }
    if let shortest, let longest, shortest > longest { throw Self.fault(field, "minLength is above maxLength.") }
  }

  public var json: JSON {
    let all: [(String, JSON?)] = [
      ("min", least.map(Self.json)), ("max", most.map(Self.json)), ("minLength", shortest.map { .int($0) }),
      ("maxLength", longest.map { .int($0) }), ("pattern", pattern.map { .string($0.pattern) }),
      ("oneOf", choices.map { .array($0) }), ("dictionary", dictionary.map { .string($0.rawValue) }),
    ]
    return .object(all.compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }

  // MARK: Checking

  /// Reads the words of the dictionary, if there is one.
  /// - Throws: 1 if the hub's machine does not have it.
  public func checkDictionary() throws(ObjectError) { _ = try dictionary?.contains("") }

  /// Checks a value that has the field's type.
  /// - Throws: 142, with the value seen and what is accepted.
  public func check(_ value: JSON, field: String) throws(ObjectError) {
    if let number = value.number {
      if let least, number < least { throw refusal(value, field, "\(Self.json(least).text) and more") }
      if let most, number > most { throw refusal(value, field, "at most \(Self.json(most).text)") }
    }
    if let length = value.string?.count ?? value.array?.count {
      let unit = value.array == nil ? "characters" : "members"
      if let shortest, length < shortest { throw refusal(value, field, "\(shortest) and more \(unit)") }
      if let longest, length > longest { throw refusal(value, field, "at most \(longest) \(unit)") }
    }
    if let choices, !choices.contains(value) {
      throw refusal(value, field, choices.map(\.text).joined(separator: ", "))
    }
    guard let text = value.string else { return }
    if let pattern, !pattern.isFound(in: text) { throw refusal(value, field, "what matches \(pattern.pattern)") }
    if let dictionary, !(try dictionary.contains(text)) {
      throw refusal(value, field, "a word of the \(dictionary.name) dictionary")
    }
  }

  private func refusal(_ value: JSON, _ field: String, _ accepted: String) -> ObjectError {
    .validation("\(field): seen \(value.text.prefix(RuleLimits.shown)); accepted: \(accepted).")
  }

  // MARK: Reading

  private static func fault(_ field: String, _ message: String) -> ObjectError {
    .schema("\(field): \(message)")
  }

  /// A whole number is written as one.
  private static func json(_ number: Double) -> JSON { Int(exactly: number).map { .int($0) } ?? .double(number) }

  private static func number(_ value: JSON, _ field: String, _ name: String) throws(ObjectError) -> Double {
    guard let number = value.number else { throw fault(field, "\(name) is \(value.kind); a number is accepted.") }
    return number
  }

  private static func length(_ value: JSON, _ field: String, _ name: String) throws(ObjectError) -> Int {
    guard let number = value.int, number >= 0 else {
      throw fault(field, "\(name) is no whole number from 0 on.")
    }
    return number
  }

  private static func pattern(_ value: JSON, _ field: String) throws(ObjectError) -> RegularExpression {
    guard let text = value.string else { throw fault(field, "pattern is \(value.kind); a string is accepted.") }
    do throws(ObjectError) {
      return try RegularExpression(text)
    } catch {
      throw fault(field, error.message)
    }
  }

  private static func dictionary(_ value: JSON, _ field: String) throws(ObjectError) -> WordList {
    guard let list = value.string.flatMap(WordList.init(rawValue:)) else {
      throw fault(field, "dictionary is \(value.text.prefix(RuleLimits.shown)); german and english are accepted.")
    }
    return list
  }
}
