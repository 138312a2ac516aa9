import Wire

/// A client's question that stays: which objects of a class match, and which of their fields it wants to see.
package struct LiveQuery: Sendable {
  package enum Event: String, Sendable {
    case create, enter, update, leave, delete
  }

  package let query: ObjectQuery
  /// See `ObjectQuery.equalities`.
  package let equalities: [(field: String, value: QueryValue)]
  /// Bytes that it takes in memory, give or take some.
  package let bytes: Int
  /// The fields in events; nil for all.
  package let keys: Set<String>?
  private let watch: [String]?
  /// The fields whose values decide whether something is told: whoever may not see them may not ask so.
  package let fields: Set<String>

  /// The right that it needs: to look at one object, or to find some.
  package let action: ClassPermissions.Action

  package init(_ wish: LiveMessage.Subscribe, schema: ClassSchema?) throws(ObjectError) {
    var query = try ObjectQuery(
      className: wish.className, parameters: [JSON.Member("where", wish.condition)], schema: schema)
    // They would have to be asked again at each change of another class.
    guard query.subqueries.isEmpty else {
      throw .query(
        "A live query cannot ask about other objects: $inQuery, $notInQuery, $select, $dontSelect, $relatedTo.")
    }
    guard query.patternCount <= LiveQueryLimits.patterns else {
      throw .query(
        "A live query has up to \(LiveQueryLimits.patterns) patterns ($regex, $all); \(query.patternCount) were seen.")
    }
    equalities = query.equalities
    // A class that changes while the query stays would be in memory as it was, too.
    query.forgetSchema()
    self.query = query
    let names = ((wish.keys ?? []) + (wish.watch ?? [])).reduce(0) { $0 + $1.utf8.count }
    // A value of a list takes eight times what it is counted as.
    bytes = 8 * (wish.condition.keptBytes + names) + query.patternBytes
    action = query.isOfOne ? .get : .find
    // A path shows its whole first field.
    keys = wish.keys.map { Set($0.map { String($0.prefix { $0 != "." }) }) }
    watch = wish.watch
    fields = query.fields.union((watch ?? []).map { String($0.prefix { $0 != "." }) })
  }

  /// The event that a change of an object is for a subscriber.
  /// - Parameter sees: true if the subscriber may read the object in that state.
  /// - Returns: nil if it is none.
  package func event(before: StoredObject?, after: StoredObject?, sees: (StoredObject) -> Bool) -> Event? {
    // The right comes first: a pattern that takes too long tells something of what it was tried with.
    let was = before.map { sees($0) && query.matches($0) } ?? false
    let isNow = after.map { sees($0) && query.matches($0) } ?? false
    switch (was, isNow) {
    case (true, true): return isWatched(before, after) ? .update : nil
    case (true, false): return after == nil ? .delete : .leave
    case (false, true): return before != nil ? .enter : isWatched(before, after) ? .create : nil
    case (false, false): return nil
    }
  }

  /// An error if a pattern took too many steps so often that nothing matches any more.
  package var fault: ObjectError? { query.isSpent ? query.fault : nil }

  private func isWatched(_ before: StoredObject?, _ after: StoredObject?) -> Bool {
    watch?.contains { before?[$0] != after?[$0] } ?? true
  }
}
