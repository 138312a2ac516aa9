import Lifecycle
import Objects
import Store
import Wire

/// A way through the objects of a class that finds all that a query wants, and perhaps others.
struct ObjectScan {
  enum Way {
    /// By their ids.
    case ids([String])
    /// In the order in which they were made.
    case created(isDescending: Bool)
    /// In the order in which they were changed last.
    case updated(isDescending: Bool)
    /// By the values of a field.
    case index(StoredClass.Index, [Narrowing], isDescending: Bool)
  }
  let database: Database
  let stored: StoredClass
  private let deadline: Deadline
  let narrowing: [Narrowing]
  /// True if whatever is on the way is what the query wants.
  let isExact: Bool
  private(set) var way = Way.created(isDescending: false)
  /// True if the way has the objects in the query's order.
  private(set) var isInOrder = true
  /// The field for which an index would have been of use.
  private(set) var advice: String?

  init(_ reader: ObjectReader, _ stored: StoredClass, _ query: ObjectQuery) throws(StoreError) {
    (database, deadline, self.stored) = (reader.database, reader.deadline, stored)
    narrowing = Array(query.narrowing.prefix(AppsLimits.narrowings))
    isExact = query.isExact && narrowing.count == query.narrowing.count
    try choose(query)
  }

  // MARK: The choice

  private mutating func choose(_ query: ObjectQuery) throws(StoreError) {
    if let ids = narrowing.first(where: { $0.column.field == "objectId" && [.equal, .anyOf].contains($0.comparison) }) {
      (way, isInOrder) = (.ids(ids.values.compactMap(\.string)), ids.values.count < 2)
      return
    }
    let ordered = orderedWay(query)
    var fields: [String: [Narrowing]] = [:]
    for one in narrowing { fields[one.column.field, default: []].append(one) }
    var best: (way: Way, count: Int, isInOrder: Bool)?
    for (field, conditions) in fields {
      guard let index = stored.index(of: field) else { continue }
      let isInOrder = !query.isSorted && conditions.contains { $0.comparison == .equal }
      // The only index, in the query's order, is the way however many objects it has.
      let isSure = isInOrder && fields.count == 1
      let count = isSure ? 0 : try self.count(index, conditions)
      if let best, best.count <= count { continue }
      best = (.index(index, conditions, isDescending: false), count, isInOrder)
    }
    if let best, best.count <= AppsLimits.fewObjects || best.isInOrder || ordered == nil {
      (way, isInOrder) = (best.way, best.isInOrder)
      return
    }
    if let ordered {
      way = ordered
    } else {
      isInOrder = !query.isSorted
    }
    if best == nil { advice = advisable(query) }
  }

  /// A way that has the objects in the query's order; nil if there is none.
  private func orderedWay(_ query: ObjectQuery) -> Way? {
    if !query.isSorted { return .created(isDescending: false) }
    guard query.order.count == 1, let column = query.order[0].column else { return nil }
    let isDescending = query.order[0].isDescending
    if column.field == "createdAt" { return .created(isDescending: isDescending) }
    if column.field == "updatedAt" { return .updated(isDescending: isDescending) }
    guard let index = stored.index(of: column.field) else { return nil }
    return .index(index, narrowing.filter { $0.column == column }, isDescending: isDescending)
  }

  /// The field by whose index the query would go: one with equal values rather than a range, or that of the order.
  private func advisable(_ query: ObjectQuery) -> String? {
    let others = narrowing.filter { ClassSchema.always[$0.column.field] == nil }
    let equal = others.first { [.equal, .anyOf].contains($0.comparison) }
    if let field = (equal ?? others.first)?.column.field { return field }
    guard let field = query.order.first?.column?.field, ClassSchema.always[field] == nil else { return nil }
    return field
  }

  /// The objects that an index has for conditions, as far as it matters.
  private func count(_ index: StoredClass.Index, _ conditions: [Narrowing]) throws(StoreError) -> Int {
    let (sql, values) = Self.bounds(conditions)
    var count = 0
    try database.scan(
      """
      SELECT COUNT(*) FROM (SELECT 1 FROM apps_values WHERE index_number = ?\(sql) LIMIT ?) AS few
      """, [.int(index.number)] + values + [.int(AppsLimits.fewObjects + 1)], isMade: true
    ) { row in
      count = row.int(0)
      return true
    }
    return count
  }

  // MARK: The way

  /// True if what the query skips need not be read: all that is on the way, which goes by time, is what it wants.
  var canSkip: Bool { isExact && isInOrder && !timeOrder.isEmpty }

  /// Hands over the objects on the way, until the reader wants no more.
  /// - Parameters:
  ///   - mayRead: asked of the access list's text first, so that what is not for the caller is not read.
  ///   - skip: the objects that are left out at the beginning, if it `canSkip` and the caller may read all of them.
  ///   - limit: the objects that are handed over then.
  func run(
    _ mayRead: (String?) -> Bool, skipping skip: Int = 0, atMost limit: Int = 0,
    until wantsNoMore: (ObjectRow, _ bytes: Int) -> Bool
  ) throws {
    var (sql, values) = statement("SELECT \(ObjectRow.columns) FROM ", isSorted: true)
    if skip > 0 {
      // Their numbers first, which an index has.
      let numbers = statement("SELECT number FROM ", isSorted: true).0
      sql = "SELECT \(ObjectRow.columns) FROM apps_objects WHERE number IN (\(numbers) LIMIT ? OFFSET ?)\(timeOrder)"
      values += [.int(limit), .int(skip)]
    }
    try pass(sql, values) { row in
      guard mayRead(row.optionalText(5)) else { return false }
      return wantsNoMore(ObjectRow(row, of: stored), row.byteCount(4))
    }
  }

  /// Hands over rows until the reader wants no more.
  /// - Throws: also an error if it takes too long, since others wait for the database.
  private func pass(_ sql: String, _ values: [Value], until wantsNoMore: (Row) -> Bool) throws {
    var isLate = false
    do {
      try database.scan(sql, values, isMade: true, isLate: { [deadline] in deadline.isOver }) { row in
        isLate = deadline.isOver
        return isLate || wantsNoMore(row)
      }
    } catch {
      guard deadline.isOver else { throw error }
      isLate = true
    }
    if isLate { throw deadline.late }
  }

  /// The number of objects that the narrowings let through, whoever may read them.
  func count() throws -> Int {
    let (sql, values) = countOfKeys ?? statement("SELECT COUNT(*) FROM ", isSorted: false)
    var count = 0
    try pass(sql, values) { row in
      count = row.int(0)
      return true
    }
    return count
  }

  /// The statement that counts the keys of an index alone, without reading an object: those of numbers, truth values
  /// and dates say all that narrowings of their field ask. The key of nothing is left out, as it is in no range.
  private var countOfKeys: (String, [Value])? {
    guard let column = narrowing.first?.column, [.number, .boolean, .date].contains(column.type),
      narrowing.allSatisfy({ $0.column == column }), let index = stored.index(of: column.field)
    else { return nil }
    let (bounds, keys) = Self.bounds(narrowing, areWhole: true)
    return (
      "SELECT COUNT(*) FROM apps_values WHERE index_number = ?\(bounds) AND value > ?",
      [.int(index.number)] + keys + [.blob([0])]
    )
  }

  /// The number of those that the caller may not read.
  func countHidden(_ mayRead: (String?) -> Bool) throws -> Int {
    let (sql, values) = statement("SELECT acl FROM ", isSorted: false, " AND acl IS NOT NULL")
    var count = 0
    try pass(sql, values) { row in
      if !mayRead(row.optionalText(0)) { count += 1 }
      return false
    }
    return count
  }

  /// The statement of the way and its values.
  func statement(_ beginning: String, isSorted: Bool, _ further: String = "") -> (String, [Value]) {
    let (sql, values) = conditions()
    switch way {
    case .ids(let ids):
      return (
        "\(beginning) apps_objects WHERE class = ? AND id\(Self.isIn(ids.count))\(sql)\(further)",
        [.int(stored.number)] + ids.map { .text($0) } + values
      )
    case .created, .updated:
      let order = isSorted ? timeOrder : ""
      return ("\(beginning) apps_objects WHERE class = ?\(sql)\(further)\(order)", [.int(stored.number)] + values)
    case .index(let index, let conditions, let isDescending):
      let (bounds, keys) = Self.bounds(conditions)
      let order = isSorted ? " ORDER BY value\(isDescending ? " DESC" : ""), object" : ""
      // The index comes first, whatever else the database might choose.
      return (
        "\(beginning) apps_values CROSS JOIN apps_objects WHERE index_number = ?\(bounds) AND number = object"
          + "\(sql)\(further)\(order)", [.int(index.number)] + keys + values
      )
    }
  }

  /// The order of a way in time; empty for another one.
  private var timeOrder: String {
    switch way {
    case .created(let isDescending): " ORDER BY created_at\(isDescending ? " DESC" : ""), number"
    case .updated(let isDescending): " ORDER BY updated_at\(isDescending ? " DESC" : ""), created_at, number"
    case .ids, .index: ""
    }
  }

  /// The narrowings as conditions of the table of objects.
  private func conditions() -> (String, [Value]) {
    var (sql, values) = ("", [Value]())
    for one in narrowing {
      let column =
        switch one.column.field {
        case "objectId": "id"
        case "createdAt": "created_at"
        // With a sign it is no reason to leave another way for its index, and to sort all that is found there.
        case "updatedAt": if case .updated = way { "updated_at" } else { "+updated_at" }
        default: Database.member("body", one.column.path)
        }
      sql += " AND \(column)" + Self.comparison(one)
      values += one.values.map { Value(plain: $0) }
    }
    return (sql, values)
  }

  /// The narrowings of one field as conditions of the table of its values.
  /// - Parameter areWhole: true for values whose keys are equal only if they are.
  private static func bounds(_ all: [Narrowing], areWhole: Bool = false) -> (String, [Value]) {
    var (sql, values) = ("", [Value]())
    for one in all {
      sql += " AND value" + comparison(one, isKey: !areWhole)
      values += one.values.map { .blob(IndexKey.bytes(one.column.stored($0)) ?? []) }
    }
    return (sql, values)
  }

  /// - Parameter isKey: true for keys, of which equal ones may have been made of different long texts.
  private static func comparison(_ one: Narrowing, isKey: Bool = false) -> String {
    switch one.comparison {
    case .equal: " = ?"
    case .less: isKey ? " <= ?" : " < ?"
    case .lessOrEqual: " <= ?"
    case .greater: isKey ? " >= ?" : " > ?"
    case .greaterOrEqual: " >= ?"
    case .anyOf: isIn(one.values.count)
    }
  }

  /// The condition of a value in a list of so many. PostgreSQL has no empty list; nothing is in this one either.
  fileprivate static func isIn(_ count: Int) -> String {
    " IN (" + (count == 0 ? "NULL" : repeatElement("?", count: count).joined(separator: ", ")) + ")"
  }
}

/// The moment at which a request's queries end, all of them together.
struct Deadline: Sendable {
  private let time: any TimeSource
  private let end: Double
  /// True for a reader that throws `TookLong` instead of taking long: the request begins anew elsewhere.
  let isBrief: Bool

  /// It begins now.
  init(_ time: any TimeSource, isBrief: Bool = false) {
    (self.time, self.isBrief) = (time, isBrief)
    end = time.uptime + (isBrief ? AppsLimits.briefSeconds : AppsLimits.scanSeconds)
  }

  var isOver: Bool { time.uptime > end }

  var late: any Error {
    if isBrief { return TookLong() }
    return ObjectError.timeout(
      "The query took more than \(Int(AppsLimits.scanSeconds)) s, with the wait for its turn; narrow it by a field.")
  }
}

/// A brief reader has more to do than it may.
struct TookLong: Error {}

extension Value {
  /// A number, a text or a truth value as a condition of a JSON text has it.
  fileprivate init(plain json: JSON) {
    switch json {
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .text(value)
    case .bool(let value): self = .int(value ? 1 : 0)
    default: self = .null
    }
  }
}

extension Column {
  /// A value of a narrowing as objects have it.
  fileprivate func stored(_ plain: JSON) -> JSON {
    switch (type, plain) {
    case (.pointer(let target), .string(let id)): StoredObject.pointer(to: id, of: target)
    case (.date, .string(let text)): ["__type": "Date", "iso": .string(text)]
    case (.date, .int(let time)): ObjectDate.json(time)
    default: plain
    }
  }
}

extension Database {
  /// Hands over objects of a class by their ids, in no order, until the reader wants no more.
  func eachObject(
    _ ids: [String], of stored: StoredClass, until wantsNoMore: (ObjectRow, _ bytes: Int) -> Bool
  ) throws(StoreError) {
    var isDone = false
    for start in stride(from: 0, to: ids.count, by: AppsLimits.idsAtOnce) {
      let some = ids[start..<min(start + AppsLimits.idsAtOnce, ids.count)]
      try scan(
        "SELECT \(ObjectRow.columns) FROM apps_objects WHERE class = ? AND id\(ObjectScan.isIn(some.count))",
        [.int(stored.number)] + some.map { .text($0) }, isMade: true
      ) { row in
        isDone = wantsNoMore(ObjectRow(row, of: stored), row.byteCount(4))
        return isDone
      }
      if isDone { return }
    }
  }
}
