/// A JSON value (RFC 8259). Members keep their order; integers are distinguished from fractions.
public enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSON
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// The member of that name, if this is an object that has it.
  public subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var int: Int? { if case .int(let value) = self { value } else { nil } }
  public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
  public var members: [Member]? { if case .object(let value) = self { value } else { nil } }
  /// Any number as a Double; nil for other values.
  public var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// An object with the members of another one behind its own.
  public func with(_ more: JSON) -> JSON { .object((members ?? []) + (more.members ?? [])) }

  /// The kind of value, for a sentence such as "open: a string; true or false is accepted".
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int, .double: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements.map { Member($0, $1) }) }

  /// Nil becomes null.
  public init(_ value: String?) { self = value.map { .string($0) } ?? .null }
  public init(_ value: Int?) { self = value.map { .int($0) } ?? .null }
  public init(_ value: Double?) { self = value.map { .double($0) } ?? .null }
  public init(_ value: Bool?) { self = value.map { .bool($0) } ?? .null }
}
