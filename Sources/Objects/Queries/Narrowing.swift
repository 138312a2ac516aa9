public import Wire

/// A field whose values are all of one kind that SQL can compare.
public struct Column: Hashable, Sendable {
  public var field: String
  public var type: FieldType
  /// The members that lead to the value within an object's fields; empty for objectId, createdAt and updatedAt, which
  /// are columns of their own, the times in milliseconds since 1970.
  public var path: [String]

  /// Nil for fields that SQL cannot compare.
  init?(_ path: FieldPath, _ schema: ClassSchema?) {
    guard path.isField, let schema, let type = schema.type(of: path.field) else { return nil }
    switch type {
    case .string, .number, .boolean, .date, .pointer: break
    default: return nil
    }
    field = path.field
    self.type = type
    if ClassSchema.always[field] != nil {
      self.path = []
    } else {
      switch type {
      case .date: self.path = [field, "iso"]
      case .pointer: self.path = [field, "objectId"]
      default: self.path = [field]
      }
    }
  }
}

/// A condition that all objects of a query meet, for SQL. It may be met by others too.
public struct Narrowing: Hashable, Sendable {
  public enum Comparison: Hashable, Sendable { case equal, less, lessOrEqual, greater, greaterOrEqual, anyOf }

  public var column: Column
  public var comparison: Comparison
  /// Numbers, strings, true and false; `anyOf` may have none, and then there is no such object.
  public var values: [JSON]

  /// The narrowings that follow from a condition, and whether they say all of it.
  static func of(_ condition: Condition, _ schema: ClassSchema?) -> (all: [Narrowing], isExact: Bool) {
    var (all, isExact) = ([Narrowing](), true)
    for part in condition.conjuncts {
      guard case .test(let path, let test) = part, let column = Column(path, schema),
        let (found, isWhole) = of(test, column)
      else {
        isExact = false
        continue
      }
      all += found
      isExact = isExact && isWhole
    }
    return (all, isExact)
  }

  private static func of(_ test: Condition.Test, _ column: Column) -> (all: [Narrowing], isWhole: Bool)? {
    switch test {
    case .equals(.null), .compares(_, .null), .compares(_, .bool), .compares(_, .pointer): return nil
    case .equals(let value):
      guard let value = column.plain(value) else { return ([Narrowing(column, .anyOf, [])], true) }
      return ([Narrowing(column, .equal, [value])], true)
    case .oneOf(let values):
      guard !values.contains(.null), values.count <= ObjectsLimits.narrowedValues else { return nil }
      return ([Narrowing(column, .anyOf, values.sorted().compactMap { column.plain($0) })], true)
    case .compares(let comparison, let limit):
      guard let limit = column.plain(limit) else { return ([Narrowing(column, .anyOf, [])], true) }
      return ([Narrowing(column, Comparison(comparison), [limit])], true)
    case .matches(let expression):
      guard column.type == .string, let prefix = expression.prefix else { return nil }
      let first = Narrowing(column, .greaterOrEqual, [.string(prefix)])
      return ([first] + (end(of: prefix).map { [Narrowing(column, .less, [.string($0)])] } ?? []), false)
    default: return nil
    }
  }

  private init(_ column: Column, _ comparison: Comparison, _ values: [JSON]) {
    self.column = column
    self.comparison = comparison
    self.values = values
  }

  /// The first text after all that begin with this one.
  private static func end(of prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // Between these two are surrogates, which are no characters.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let scalar = Unicode.Scalar(next) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars + [scalar])
        return String(view)
      }
    }
    return nil
  }
}

extension Narrowing.Comparison {
  fileprivate init(_ comparison: Condition.Comparison) {
    self =
      switch comparison {
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      }
  }
}

extension Column {
  /// The value as SQL compares it; nil if no value of this column is of its kind.
  fileprivate func plain(_ value: QueryValue) -> JSON? {
    switch (type, value) {
    case (.string, .text(let text)): .string(text.string)
    case (.number, .number(.whole(let number))): .int(number)
    case (.number, .number(.other(let number))): .double(number)
    case (.boolean, .bool(let value)): .bool(value)
    case (.date, .date(let time)): path.isEmpty ? .int(time) : .string(ObjectDate.text(time))
    case (.pointer(let target), .pointer(let className, let id)):
      className.string == target ? .string(id.string) : nil
    default: nil
    }
  }
}
