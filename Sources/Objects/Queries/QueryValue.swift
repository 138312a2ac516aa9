public import Wire

/// A value as queries compare it: by its kind first, in the order that MongoDB gives kinds, then by its worth. A number
/// is the same as integer and as fraction; texts are compared by their bytes in UTF-8, as SQLite does it.
public enum QueryValue: Hashable, Sendable {
  case null
  case number(Number)
  case text(Text)
  /// Members by their names.
  case object([Member])
  case file(Text)
  case place(GeoPoint)
  case array([QueryValue])
  case bytes(Text)
  case pointer(className: Text, id: Text)
  case bool(Bool)
  /// Milliseconds since 1970.
  case date(Int)

  public struct Member: Hashable, Sendable {
    var name: Text
    var value: QueryValue
  }

  /// Nil, for a field that is not there, is null.
  public init(_ json: JSON?) {
    switch json {
    case nil, .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .number(.whole(value))
    case .double(let value): self = .number(Number(value))
    case .string(let value): self = .text(Text(value))
    case .array(let values): self = .array(values.map { QueryValue($0) })
    case .object(let members): self = json.flatMap(Self.typed) ?? Self.plain(members)
    }
  }

  private static func plain(_ members: [JSON.Member]) -> QueryValue {
    .object(members.map { Member(name: Text($0.name), value: QueryValue($0.value)) }.sorted { $0.name < $1.name })
  }

  /// A value with a `__type` of Parse's; nil for others.
  private static func typed(_ json: JSON) -> QueryValue? {
    switch json["__type"]?.string {
    case "Date": ObjectDate.milliseconds(json).map { .date($0) }
    case "Pointer", "Object":
      if let className = json["className"]?.string, let id = json["objectId"]?.string {
        .pointer(className: Text(className), id: Text(id))
      } else {
        nil
      }
    case "File": json["name"]?.string.map { .file(Text($0)) }
    case "GeoPoint": GeoPoint(json).map { .place($0) }
    case "Bytes": json["base64"]?.string.map { .bytes(Text($0)) }
    default: nil
    }
  }

  /// True for what stands in one field as a whole: neither a list nor an object.
  var isPlain: Bool {
    switch self {
    case .number, .text, .pointer, .bool, .date: true
    default: false
    }
  }

  /// The place of a kind among the others. Texts and what MongoDB keeps as texts are beside each other.
  var kind: Int {
    switch self {
    case .null: 0
    case .number: 1
    case .text: 2
    case .object: 3
    case .file: 4
    case .place: 5
    case .array: 6
    case .bytes: 7
    case .pointer: 8
    case .bool: 9
    case .date: 10
    }
  }
}

extension QueryValue: Comparable {
  public static func < (left: QueryValue, right: QueryValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.text(let left), .text(let right)), (.file(let left), .file(let right)),
      (.bytes(let left), .bytes(let right)):
      left < right
    case (.object(let left), .object(let right)):
      left.lexicographicallyPrecedes(right) {
        $0.name == $1.name ? $0.value < $1.value : $0.name < $1.name
      }
    case (.place(let left), .place(let right)):
      (left.latitude, left.longitude) < (right.latitude, right.longitude)
    case (.array(let left), .array(let right)): left.lexicographicallyPrecedes(right)
    case (.pointer(let leftClass, let left), .pointer(let rightClass, let right)):
      (leftClass, left) < (rightClass, right)
    case (.bool(let left), .bool(let right)): !left && right
    case (.date(let left), .date(let right)): left < right
    default: left.kind < right.kind
    }
  }
}

extension QueryValue {
  /// A number, exactly: an integer of 64 bits, or what is none.
  public enum Number: Hashable, Comparable, Sendable {
    case whole(Int)
    /// Never a value that an integer of 64 bits has.
    case other(Double)

    init(_ value: Double) { self = Int(exactly: value).map { .whole($0) } ?? .other(value) }

    public static func < (left: Number, right: Number) -> Bool {
      switch (left, right) {
      case (.whole(let left), .whole(let right)): left < right
      case (.other(let left), .other(let right)): left < right
      case (.whole(let left), .other(let right)): isLess(left, right)
      case (.other(let left), .whole(let right)): !isLess(right, left)
      }
    }

    /// The second is between two integers or beyond all of them, so they are never equal.
    private static func isLess(_ whole: Int, _ other: Double) -> Bool {
      guard let below = Int(exactly: other.rounded(.down)) else { return other > 0 }
      return whole <= below
    }
  }

  /// A text that is equal to another only byte by byte; Swift's strings are equal when they look the same.
  public struct Text: Hashable, Comparable, Sendable {
    public let string: String
    public init(_ string: String) { self.string = string }

    public static func == (left: Text, right: Text) -> Bool {
      left.string.utf8.count == right.string.utf8.count && left.string.utf8.elementsEqual(right.string.utf8)
    }
    public static func < (left: Text, right: Text) -> Bool {
      left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }
    /// Texts of the same bytes have the same hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(string) }
  }
}
