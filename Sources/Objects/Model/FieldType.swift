public import Wire

/// The type of a field, which all its values have.
public enum FieldType: Hashable, Sendable {
  case string, number, boolean, date, object, array, bytes, file, geoPoint, polygon, acl
  /// To an object of a class.
  case pointer(String)
  /// To any number of objects of a class.
  case relation(String)

  private static let plain: [(name: String, type: FieldType)] = [
    ("String", .string), ("Number", .number), ("Boolean", .boolean), ("Date", .date), ("Object", .object),
    ("Array", .array), ("Bytes", .bytes), ("File", .file), ("GeoPoint", .geoPoint), ("Polygon", .polygon),
    ("ACL", .acl),
  ]

  /// The name in schemas.
  public var name: String {
    switch self {
    case .pointer: "Pointer"
    case .relation: "Relation"
    default: Self.plain.first { $0.type == self }!.name
    }
  }

  /// The class that a pointer or a relation leads to.
  public var targetClass: String? {
    switch self {
    case .pointer(let target), .relation(let target): target
    default: nil
    }
  }

  public init?(name: String, targetClass: String?) {
    switch (name, targetClass) {
    case ("Pointer", let target?): self = .pointer(target)
    case ("Relation", let target?): self = .relation(target)
    default:
      guard let type = Self.plain.first(where: { $0.name == name })?.type else { return nil }
      self = type
    }
  }

  /// The type in the words of errors, such as "Pointer<_User>".
  public var words: String { targetClass.map { "\(name)<\($0)>" } ?? name }

  /// The type of a value that was checked; nil for null, which every field may have.
  public init?(of value: JSON) {
    switch value {
    case .null: return nil
    case .bool: self = .boolean
    case .int, .double: self = .number
    case .string: self = .string
    case .array: self = .array
    case .object:
      switch value["__type"]?.string {
      case "Date": self = .date
      case "Pointer", "Object": self = .pointer(value["className"]?.string ?? "")
      case "Relation": self = .relation(value["className"]?.string ?? "")
      case "File": self = .file
      case "GeoPoint": self = .geoPoint
      case "Polygon": self = .polygon
      case "Bytes": self = .bytes
      default: self = .object
      }
    }
  }
}
