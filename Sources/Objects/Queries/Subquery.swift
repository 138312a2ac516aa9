public import Wire

/// A question about other objects within a query, which is answered before the query is asked.
public struct Subquery: Sendable {
  public enum Source: Sendable {
    /// Objects of another class (`$inQuery`), answered by pointers to them; with a key (`$select`), by their values
    /// there.
    case objects(className: String, parameters: [JSON.Member], key: FieldPath?)
    /// The objects to which a relation of one object leads (`$relatedTo`), answered by their ids.
    case related(className: String, id: String, key: String)
    /// The objects of the query's own class whose relation leads to one of these, answered by their ids.
    case owning(key: String, targets: [String])
    /// The same, for the objects of another class that a query finds.
    case owningFound(key: String, className: String, parameters: [JSON.Member])
  }

  /// The place of the value that has to be among the answers.
  let path: FieldPath
  public let source: Source
}

extension FieldPath {
  public var text: String { parts.joined(separator: ".") }

  /// The values there of an object: one, or those of lists on the way.
  public func values(in object: StoredObject) -> [JSON] {
    var values: [JSON] = []
    _ = reaches(in: object) { value in
      values.append(value)
      return false
    }
    return values
  }
}
