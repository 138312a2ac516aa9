import Wire

/// The way to a value: a field, then names of members within it, such as `address.city`.
public struct FieldPath: Hashable, Sendable {
  public let parts: [String]

  public var field: String { parts[0] }
  public var isField: Bool { parts.count == 1 }

  /// Reads the path, of letters, digits, _ and dots. Names that mean something to JavaScript itself are refused.
  public init(_ text: String) throws(ObjectError) {
    parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let isAccepted =
      text.utf8.first.map(ClassSchema.isLetter) ?? false
      && text.utf8.count <= ObjectsLimits.pathBytes && parts.count <= ObjectsLimits.pathParts
      && parts.allSatisfy { part in
        !part.isEmpty && !["__proto__", "constructor", "prototype"].contains(part)
          && part.isAlphanumeric(or: "_")
      }
    guard isAccepted else {
      throw .fieldName("Invalid key name: \(text.prefix(60)). A letter, then letters, digits, _ and dots are accepted.")
    }
  }

  init(field: String) { parts = [field] }

  /// True if a value there passes the test. A list on the way is gone into: `lines.price` is the price of any line, and
  /// `lines.0` the first one.
  func reaches(in document: some QueryDocument, _ test: (JSON) -> Bool) -> Bool {
    guard let value = document.value(of: field) else { return false }
    return reaches(value, after: 1, test)
  }

  private func reaches(_ value: JSON, after depth: Int, _ test: (JSON) -> Bool) -> Bool {
    guard depth < parts.count else { return test(value) }
    switch value {
    case .object:
      guard let next = value[parts[depth]] else { return false }
      return reaches(next, after: depth + 1, test)
    case .array(let elements):
      if let place = Int(parts[depth]), elements.indices.contains(place),
        reaches(elements[place], after: depth + 1, test)
      {
        return true
      }
      return elements.contains { element in
        if case .object = element { reaches(element, after: depth, test) } else { false }
      }
    default: return false
    }
  }
}

/// Something that has fields: an object, or what a stage of an aggregation made.
protocol QueryDocument {
  func value(of field: String) -> JSON?
}

extension StoredObject: QueryDocument {
  func value(of field: String) -> JSON? {
    switch field {
    case "objectId": .string(id)
    case "createdAt": ObjectDate.json(createdAt)
    case "updatedAt": ObjectDate.json(updatedAt)
    default: fields.first { $0.name == field }?.value
    }
  }
}

extension JSON: QueryDocument {
  func value(of field: String) -> JSON? { self[field] }
}
