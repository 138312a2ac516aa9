public import Wire

/// A class of objects: its fields with their types, and who may do what.
public struct ClassSchema: Equatable, Sendable {
  public struct Field: Equatable, Sendable {
    public var type: FieldType
    public var isRequired: Bool
    public var defaultValue: JSON?
    /// The rules that a value has to meet beside its type; nil if anything will do.
    public var rules: FieldRules?

    public init(_ type: FieldType, isRequired: Bool = false, defaultValue: JSON? = nil, rules: FieldRules? = nil) {
      self.type = type
      self.isRequired = isRequired
      self.defaultValue = defaultValue
      self.rules = rules
    }
  }

  public let name: String
  /// Without objectId, createdAt, updatedAt and ACL, which every class has.
  public var fields: [String: Field]
  public var permissions: ClassPermissions
  /// The rings for changes of the class's objects, as the owner wrote them.
  public var rings: [JSON] = []
  public var unique: [UniqueRule] = []
  /// The indexes that the owner asked for, by the owner's names: the field of each.
  public var indexes: [String: String] = [:]

  public init(name: String, fields: [String: Field] = [:], permissions: ClassPermissions = .open) {
    self.name = name
    self.fields = fields
    self.permissions = permissions
  }

  /// The type of a field; nil if there is none of this name.
  public func type(of field: String) -> FieldType? { Self.always[field] ?? fields[field]?.type }

  /// Sets what only one object may have.
  public mutating func set(_ rules: [UniqueRule]) throws(ObjectError) {
    for rule in rules { try rule.fit(self) }
    unique = rules
  }

  /// The fields of every class.
  public static let always: [String: FieldType] = [
    "objectId": .string, "createdAt": .date, "updatedAt": .date, "ACL": .acl,
  ]

  // MARK: Names

  public static let systemClasses = ["_User", "_Role", "_Session", "_Installation", "_Audience"]

  public static func isClassName(_ name: String) -> Bool { systemClasses.contains(name) || isPlain(name) }

  /// True for a name that a class' owner or a client may give a field.
  public static func isFieldName(_ name: String) -> Bool { isPlain(name) && always[name] == nil }

  private static func isPlain(_ name: String) -> Bool {
    guard (1...ObjectsLimits.nameBytes).contains(name.utf8.count), let first = name.utf8.first,
      isLetter(first)
    else { return false }
    return name.isAlphanumeric(or: "_")
  }

  static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }

  // MARK: Parse's own classes

  /// A class that is new: one of Parse's has fields from the start.
  public static func new(_ name: String) -> ClassSchema {
    var schema = ClassSchema(name: name, fields: ownFields[name] ?? [:])
    if name == "_User" { schema.permissions.protectedFields["*"] = ["email"] }
    return schema
  }

  /// The fields that Parse's own classes have from the start, and that stay.
  public static let ownFields: [String: [String: Field]] = [
    "_User": [
      "username": Field(.string), "password": Field(.string), "email": Field(.string),
      "emailVerified": Field(.boolean), "authData": Field(.object),
    ],
    "_Role": ["name": Field(.string), "users": Field(.relation("_User")), "roles": Field(.relation("_Role"))],
    "_Session": [
      "user": Field(.pointer("_User")), "installationId": Field(.string), "sessionToken": Field(.string),
      "expiresAt": Field(.date), "createdWith": Field(.object),
    ],
    "_Installation": [
      "installationId": Field(.string), "deviceToken": Field(.string), "channels": Field(.array),
      "deviceType": Field(.string), "pushType": Field(.string), "GCMSenderId": Field(.string),
      "timeZone": Field(.string), "localeIdentifier": Field(.string), "badge": Field(.number),
      "appVersion": Field(.string), "appName": Field(.string), "appIdentifier": Field(.string),
      "parseVersion": Field(.string),
    ],
    // Groups of installations. Clients may make them, and nobody but the master key sees them.
    "_Audience": [
      "name": Field(.string), "query": Field(.string), "lastUsed": Field(.date), "timesUsed": Field(.number),
    ],
  ]
}

// MARK: As JSON

extension ClassSchema {
  /// The class as Parse shows it, without the indexes that the hub made.
  public var json: JSON {
    let all = Self.always.mapValues { Field($0) }.merging(fields) { always, _ in always }
    var members: [JSON.Member] = [
      .init("className", .string(name)),
      .init("fields", .object(all.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })),
      .init("classLevelPermissions", permissions.json),
    ]
    if !rings.isEmpty { members.append(.init("rings", .array(rings))) }
    if !unique.isEmpty { members.append(.init("unique", .array(unique.map(\.json)))) }
    if !indexes.isEmpty {
      let all = indexes.sorted { $0.key < $1.key }
      members.append(.init("indexes", .object(all.map { .init($0.key, .object([.init($0.value, 1)])) })))
    }
    return .object(members)
  }

  /// Reads what `json` wrote.
  public init(kept json: JSON) throws(ObjectError) {
    self.init(name: json["className"]?.string ?? "")
    for member in json["fields"]?.members ?? [] where Self.always[member.name] == nil {
      fields[member.name] = try Field(member.value, named: member.name)
    }
    permissions = try ClassPermissions(json["classLevelPermissions"] ?? [:])
    rings = json["rings"]?.array ?? []
    unique = try UniqueRule.list(json["unique"] ?? [])
    for index in json["indexes"]?.members ?? [] { indexes[index.name] = index.value.members?.first?.name }
  }
}

extension ClassSchema.Field {
  public var json: JSON {
    var members: [JSON.Member] = [.init("type", .string(type.name))]
    if let target = type.targetClass { members.append(.init("targetClass", .string(target))) }
    if isRequired { members.append(.init("required", true)) }
    if let defaultValue { members.append(.init("defaultValue", defaultValue)) }
    if let rules { members.append(.init("rules", rules.json)) }
    return .object(members)
  }

  /// Reads `{"type":"Pointer","targetClass":"Photo","required":true}`.
  public init(_ json: JSON, named name: String) throws(ObjectError) {
    guard let kind = json["type"]?.string else {
      throw .json("The field \(name) has no type; {\"type\":\"String\"} is accepted, for instance.")
    }
    let target = json["targetClass"]?.string
    if ["Pointer", "Relation"].contains(kind) {
      guard let target else { throw ObjectError(135, "type \(kind) needs a class name") }
      guard ClassSchema.isClassName(target) else { throw .className(target) }
    }
    guard let type = FieldType(name: kind, targetClass: target), type != .acl else {
      throw .type("invalid field type: \(kind.prefix(60))")
    }
    self.init(type, isRequired: json["required"]?.bool ?? false)
    if let value = json["defaultValue"], value != .null {
      let value = try FieldValue.checked(value, of: name)
      if let found = FieldType(of: value), found != type {
        throw .type("schema mismatch for \(name) default value; expected \(type.words) but got \(found.words)")
      }
      defaultValue = value
    }
    if let rules = json["rules"], rules != .null { self.rules = try FieldRules(rules, field: name, type: type) }
  }
}
