import Crypto
public import Wire

/// A field, or two, whose values together only one object of a class may have. An object that lacks one of them meets
/// the rule. Letters count as they are written.
public struct UniqueRule: Hashable, Sendable {
  public let fields: [String]

  public init(_ fields: [String]) { self.fields = fields }

  /// Its name for people: the fields.
  public var name: String { fields.joined(separator: ", ") }

  /// Reads `["word", "round"]`.
  public init(_ json: JSON) throws(ObjectError) {
    let fields = json.array?.compactMap(\.string) ?? []
    guard RuleLimits.uniqueFields.contains(fields.count), fields.count == json.array?.count,
      Set(fields).count == fields.count
    else {
      throw .schema("unique: \(json.text.prefix(RuleLimits.shown)); a list of one or two fields' names is accepted.")
    }
    self.init(fields)
  }

  /// Reads the rules of a class.
  public static func list(_ json: JSON) throws(ObjectError) -> [UniqueRule] {
    guard let list = json.array, list.count <= RuleLimits.unique else {
      throw .schema("unique: \(json.kind); a list of at most \(RuleLimits.unique) lists of fields is accepted.")
    }
    var rules: [UniqueRule] = []
    for one in list {
      let rule = try UniqueRule(one)
      if rules.contains(rule) { throw .schema("unique: \(rule.name) is there twice.") }
      rules.append(rule)
    }
    return rules
  }

  public var json: JSON { .array(fields.map { .string($0) }) }

  /// Checks that the class has the fields, and that their values can be compared.
  func fit(_ schema: ClassSchema) throws(ObjectError) {
    for field in fields {
      switch schema.fields[field]?.type {
      case .string, .number, .boolean, .date, .pointer: continue
      case nil: throw .schema("unique: there is no field \(field.prefix(RuleLimits.shown)).")
      default: throw .schema("unique: \(field) is no string, number, boolean, date or pointer.")
      }
    }
  }

  /// Bytes that are the same for objects with the same values, and for no others; nil where one is missing.
  public func key(of object: StoredObject) -> [UInt8]? {
    var key: [UInt8] = []
    for field in fields {
      guard let value = object[field], value != .null else { return nil }
      let part: [UInt8]
      if case .string(let text) = value, text.utf8.count > RuleLimits.uniqueText {
        part = [3] + Digest.sha256(text.utf8)
      } else if let bytes = IndexKey.bytes(value) {
        part = bytes
      } else {
        return nil
      }
      key += [UInt8(truncatingIfNeeded: part.count >> 8), UInt8(truncatingIfNeeded: part.count)] + part
    }
    return key
  }
}
