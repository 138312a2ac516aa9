import Wire

/// Finds the subscriptions that a change of an object may concern, in a time that depends on their number, not on how
/// many there are: by class, and by the value that one field must equal. Those of a class without an equality are
/// looked at one by one.
package struct SubscriptionIndex<ID: Hashable & Sendable>: Sendable {
  private enum Place {
    case equal(field: String, key: QueryValue)
    case rest
  }
  private struct OfClass {
    var equal: [String: [QueryValue: Set<ID>]] = [:]
    var rest: Set<ID> = []
    var isEmpty: Bool { equal.isEmpty && rest.isEmpty }
  }
  private var classes: [String: OfClass] = [:]
  private var places: [ID: (className: String, place: Place)] = [:]

  package init() {}

  package var count: Int { places.count }

  /// True if somebody may want to hear of the class.
  package func concerns(_ className: String) -> Bool { classes[className] != nil }

  /// The number of those of a class that are looked at with each of its changes.
  package func lookedAtAlways(_ className: String) -> Int { classes[className]?.rest.count ?? 0 }

  /// - Parameter equalities: what an object must have to match, of which the first is used.
  package mutating func add(_ id: ID, to className: String, equalities: [(field: String, value: QueryValue)]) {
    remove(id)
    if let (field, key) = equalities.first {
      classes[className, default: OfClass()].equal[field, default: [:]][key, default: []].insert(id)
      places[id] = (className, .equal(field: field, key: key))
      return
    }
    classes[className, default: OfClass()].rest.insert(id)
    places[id] = (className, .rest)
  }

  package mutating func remove(_ id: ID) {
    guard let (className, place) = places.removeValue(forKey: id), var all = classes[className] else { return }
    classes[className] = nil
    switch place {
    case .rest: all.rest.remove(id)
    case .equal(let field, let key):
      all.equal[field]?[key]?.remove(id)
      if all.equal[field]?[key]?.isEmpty ?? false { all.equal[field]?[key] = nil }
      if all.equal[field]?.isEmpty ?? false { all.equal[field] = nil }
    }
    if !all.isEmpty { classes[className] = all }
  }

  /// The subscriptions that one of these states may match: all that do, and some that do not.
  package func candidates(_ className: String, _ states: [StoredObject]) -> Set<ID> {
    guard let all = classes[className] else { return [] }
    var found = all.rest
    func add(_ field: String, _ value: JSON?) {
      guard let value, let byKey = all.equal[field] else { return }
      // A list equals each of its members.
      for one in value.array ?? [value] {
        if let ids = byKey[QueryValue(one)] { found.formUnion(ids) }
      }
    }
    // Through the object's fields, which are bounded, and not through all that somebody asks for.
    for state in states {
      for field in ClassSchema.always.keys where all.equal[field] != nil { add(field, state[field]) }
      for field in state.fields where !state.isHubs(field.name) { add(field.name, field.value) }
    }
    return found
  }
}
