import Wire

extension ObjectQuery {
  /// The place from which the nearest objects come first, if nothing else is said about their order.
  public var center: GeoPoint? {
    guard order.isEmpty else { return nil }
    for case .test(_, .near(let center, _)) in condition.conjuncts { return center }
    return nil
  }

  /// True if the objects do not come in the order in which they were created.
  public var isSorted: Bool { !order.isEmpty || center != nil }

  /// The objects in the order of this query; those that are equal for it stay as they are.
  public func sorted(_ objects: [StoredObject]) -> [StoredObject] {
    guard isSorted else { return objects }
    return Self.places(of: objects.map { sortKey($0) }, order).map { objects[$0] }
  }

  /// The places of these keys in an order; equal ones stay as they are.
  static func places(of keys: [[QueryValue]], _ order: [Order]) -> [Int] {
    keys.indices.sorted { first, second in
      if precedes(keys[first], keys[second], order) { return true }
      return first < second && !precedes(keys[second], keys[first], order)
    }
  }

  private func sortKey(_ object: StoredObject) -> [QueryValue] {
    guard order.isEmpty else { return order.map { $0.key(of: object) } }
    for case .test(let path, .near(let center, _)) in condition.conjuncts {
      let distance = path.values(in: object).compactMap { GeoPoint($0) }.map { center.distance(to: $0) }.min()
      return [.number(QueryValue.Number(distance ?? .infinity))]
    }
    return []
  }

  private static func precedes(_ first: [QueryValue], _ second: [QueryValue], _ order: [Order]) -> Bool {
    for place in first.indices where first[place] != second[place] {
      let isDescending = order.indices.contains(place) && order[place].isDescending
      return (first[place] < second[place]) != isDescending
    }
    return false
  }
}

extension ObjectQuery.Order {
  /// The value by which a document is sorted: of a list its least element, or its greatest if the order descends.
  func key(of document: some QueryDocument) -> QueryValue {
    var values: [QueryValue] = []
    _ = path.reaches(in: document) { value in
      if let elements = value.array {
        values += elements.map { QueryValue($0) }
      } else {
        values.append(QueryValue(value))
      }
      return false
    }
    return (isDescending ? values.max() : values.min()) ?? .null
  }
}
