import Hub
import Lifecycle
import Objects
import Store
import Wire

/// Reads an app's objects as of one moment, for one caller.
struct ObjectReader {
  let objects: AppObjects
  let database: Database
  let app: App
  let caller: Objects.Caller
  let deadline: Deadline

  init(_ objects: AppObjects, _ database: Database, _ app: App, _ caller: Objects.Caller, _ deadline: Deadline) {
    (self.objects, self.database, self.app, self.caller) = (objects, database, app, caller)
    self.deadline = deadline
  }

  func storedClass(_ name: String) throws(StoreError) -> StoredClass? {
    try database.storedClass(name, of: app.id, objects.cache)
  }

  // MARK: One

  /// One object as its caller may see it.
  func object(_ className: String, _ id: String) throws -> StoredObject {
    let read = try one(className, id)
    try read.check(caller)
    return read.object
  }

  /// One object, if its caller may read objects of the class; `ReadObject.check` looks at the object's own rights.
  func one(_ className: String, _ id: String) throws -> ReadObject {
    guard let stored = try storedClass(className) else { throw ObjectError.notFound }
    _ = try stored.schema.permissions.check(.get, by: caller, on: className)
    guard let row = try row(id, of: stored) else { throw ObjectError.notFound }
    return ReadObject(object: row.object, stored: stored, bytes: row.bytes)
  }

  private func row(_ id: String, of stored: StoredClass) throws -> ObjectRow? {
    guard deadline.isBrief else { return try database.object(id, of: stored) }
    switch try database.object(id, of: stored, atMost: AppsLimits.briefBytes) {
    case .found(let row): return row
    case .tooLarge: throw TookLong()
    case nil: return nil
    }
  }

  func get(_ className: String, _ id: String, _ parameters: [JSON.Member]) throws -> JSON {
    let selection = try Selection(ofOne: parameters)
    let read = try one(className, id)
    try read.check(caller)
    let json = try shown([read.object], of: read.stored, selection)[0]
    // As Parse Server does: its clients forget the session of a user who is fetched without it.
    guard className == "_User", id == caller.user, let token = caller.session else { return json }
    return json.with(["sessionToken": .string(token)])
  }

  /// The caller's own user or session with its token, whatever its access list says. What it points to is shown as the
  /// caller may see it.
  func own(_ className: String, _ parameters: [JSON.Member]) throws -> JSON {
    let ids = try ownIDs()
    let id = className == "_Session" ? ids.session : ids.user
    guard let stored = try storedClass(className), let object = try database.object(id, of: stored)?.object else {
      throw ObjectError.notFound
    }
    let json = try shown([object], of: stored, try Selection(ofOne: parameters))[0]
    return json.with(["sessionToken": JSON(caller.session)])
  }

  /// The ids of the caller's session and user.
  func ownIDs() throws -> (session: String, user: String) {
    guard let token = caller.session,
      let ids = try database.session(token, of: app.id, now: objects.hub.time.now)
    else { throw ObjectError.invalidSession }
    return ids
  }

  // MARK: Many

  /// The answer to a query, as Parse gives it.
  func find(_ className: String, _ parameters: [JSON.Member]) throws -> JSON {
    guard ClassSchema.isClassName(className) else { throw ObjectError.className(className) }
    let stored = try storedClass(className)
    if let key = parameters.first(where: { $0.name == "redirectClassNameForKey" })?.value.string,
      let target = stored?.schema.type(of: key)?.targetClass
    {
      return try find(target, parameters.filter { $0.name != "redirectClassNameForKey" })
        .with(["className": .string(target)])
    }
    let query = try ObjectQuery(className: className, parameters: parameters, schema: stored?.schema)
    let (found, count) = try find(query, stored)
    guard found.count <= ObjectsLimits.results else {
      throw ObjectError.query(
        "limit: more than \(ObjectsLimits.results) objects are found; so many are in one answer. Ask for the rest by "
          + "skip.")
    }
    let results = try stored.map { try shown(found, of: $0, query.selection) } ?? []
    var members = [JSON.Member("results", .array(results))]
    if let count { members.append(.init("count", .int(count))) }
    return .object(members)
  }

  /// The objects that a query asks for and its caller may see; also how many there are in all, if it wants to know.
  func find(_ asked: ObjectQuery, _ stored: StoredClass?) throws -> (found: [StoredObject], count: Int?) {
    guard let stored else { return ([], asked.counts ? 0 : nil) }
    var query = asked
    let action: ClassPermissions.Action = asked.limit == 0 && asked.counts ? .count : asked.isOfOne ? .get : .find
    let rights = try Rights(self, stored, query, action)
    if asked.counts, try stored.schema.permissions.check(.count, by: caller, on: asked.className) != nil,
      rights.fields == nil
    {
      // Only a query that finds by such fields, too, counts no others.
      throw ObjectError.forbidden("Permission denied for action count on class \(asked.className).")
    }
    if deadline.isBrief, !query.isExact || !query.subqueries.isEmpty { throw TookLong() }
    var room = ObjectsLimits.relationResults
    try query.resolve { subquery throws(ObjectError) in try answer(subquery.source, stored, &room) }
    let scan = try ObjectScan(self, stored, query)
    if let field = scan.advice { objects.advice.note(.init(classNumber: stored.number, name: field)) }
    let skip = caller.isMaster && query.limit > 0 && scan.canSkip ? query.skip : 0
    var result = Result(query, isInOrder: scan.isInOrder, skipped: skip)
    if query.counts, scan.isExact, rights.fields == nil {
      result.count = try scan.count()
      if !caller.isMaster { result.count? -= try scan.countHidden(rights.mayRead) }
    }
    if query.limit > 0 || query.counts && result.count == nil {
      try scan.run(rights.mayRead, skipping: skip, atMost: query.limit) { row, bytes in
        guard rights.lets(row.object), query.matches(row.object) else { return false }
        return result.take(row, bytes)
      }
    }
    let found = result.objects()
    if let fault = result.fault ?? query.fault { throw fault }
    return (found, query.counts ? result.count ?? result.seen : nil)
  }

  /// The objects of a query within a query.
  /// - Parameter room: how many objects the query's relations may still lead to.
  /// - Throws: also 102 if it finds too many: with some of them the answer to the whole query would be wrong.
  func answer(_ source: Subquery.Source, _ stored: StoredClass, _ room: inout Int) throws(ObjectError) -> [JSON] {
    // One more shows that there are too many.
    let most = ObjectsLimits.subqueryResults + 1
    do {
      switch source {
      case .objects(let className, var parameters, let key):
        let isLimited = parameters.contains { $0.name == "limit" }
        if !isLimited { parameters.append(.init("limit", .int(most))) }
        let inner = try storedClass(className)
        if let key, let inner { try checkKey(key.field, inner.schema) }
        let query = try ObjectQuery(
          className: className, parameters: parameters, schema: inner?.schema,
          most: isLimited ? ObjectsLimits.results : most)
        let found = try find(query, inner).found
        guard found.count <= ObjectsLimits.subqueryResults else {
          throw ObjectError.query(
            "A query within the query finds more than \(ObjectsLimits.subqueryResults) objects of \(className); so "
              + "many are accepted.")
        }
        return key.map { key in found.flatMap { key.values(in: $0) } } ?? found.map(\.pointer)
      case .related(let className, let id, let key):
        guard let owners = try storedClass(className), (try? object(className, id)) != nil else { return [] }
        try checkKey(key, owners.schema)
        let related = try database.related(to: id, of: owners, by: key, limit: room + 1)
        return try Self.taken(related, from: &room, "\(className).\(key)")
      case .owning(let key, let targets): return try owners(of: targets, by: key, stored, &room)
      case .owningFound(let key, let className, let parameters):
        let found = try answer(.objects(className: className, parameters: parameters, key: nil), stored, &room)
        return try owners(of: found.compactMap { $0["objectId"]?.string }, by: key, stored, &room)
      }
    } catch let refusal as ObjectError {
      throw refusal
    } catch {
      throw .failed("The objects could not be read: \(error)")
    }
  }

  /// The ids of the objects whose relation leads to one of these; an object that leads to several counts once.
  private func owners(of targets: [String], by key: String, _ stored: StoredClass, _ room: inout Int) throws -> [JSON] {
    var owning: Set<QueryValue.Text> = []
    for target in targets where owning.count <= room {
      guard !deadline.isOver else { throw deadline.late }
      let ids = try database.ids(of: stored, leadingTo: target, by: key, limit: room + 1)
      owning.formUnion(ids.map { QueryValue.Text($0) })
    }
    return try Self.taken(owning.map(\.string), from: &room, "\(stored.schema.name).\(key)")
  }

  /// The ids of the objects that a query finds by a relation.
  /// - Throws: 102 if there are too many.
  private static func taken(_ ids: [String], from room: inout Int, _ what: String) throws(ObjectError) -> [JSON] {
    guard ids.count <= room else {
      throw .query(
        "The relations of a query lead to more than \(ObjectsLimits.relationResults) objects, those of \(what) among "
          + "them; so many are accepted.")
    }
    room -= ids.count
    return ids.map { .string($0) }
  }

  private func checkKey(_ field: String, _ schema: ClassSchema) throws(ObjectError) {
    try schema.permissions.checkQuery(of: [field], by: caller, on: schema.name)
  }

  // MARK: Showing

  /// Objects as clients get them, with what is to come along.
  func shown(_ found: [StoredObject], of stored: StoredClass, _ selection: Selection) throws -> [JSON] {
    if deadline.isBrief, !selection.include.isEmpty || selection.includesAll { throw TookLong() }
    var inclusion = Inclusion(self)
    let all = try inclusion.applied(to: found.map { json($0, stored.schema) }, selection, stored.schema)
    return all.map { selection.shown($0) }
  }

  func json(_ object: StoredObject, _ schema: ClassSchema, isNested: Bool = false) -> JSON {
    schema.json(of: object, for: caller, isNested: isNested)
  }
}

extension ClassSchema {
  /// An object without what is hidden from the caller, and with its relations, which have no value of their own.
  func json(of object: StoredObject, for caller: Objects.Caller, isNested: Bool = false) -> JSON {
    guard case .object(var members) = object.json(isNested: isNested) else { return .null }
    for (name, field) in fields {
      guard case .relation(let target) = field.type else { continue }
      members.append(.init(name, ["__type": "Relation", "className": .string(target)]))
    }
    let hidden = permissions.hidden(from: caller, in: object)
    return .object(hidden.isEmpty ? members : members.filter { !hidden.contains($0.name) })
  }
}

/// The rights of a query's caller.
private struct Rights {
  let caller: Objects.Caller
  /// Fields one of which must point to the caller; nil if it does not matter.
  let fields: [String]?

  init(
    _ reader: ObjectReader, _ stored: StoredClass, _ query: ObjectQuery, _ action: ClassPermissions.Action
  ) throws(ObjectError) {
    caller = reader.caller
    let permissions = stored.schema.permissions
    fields = try permissions.check(action, by: caller, on: query.className)
    try permissions.checkQuery(of: query.fields, by: caller, on: query.className)
  }

  func mayRead(_ acl: String?) -> Bool {
    guard !caller.isMaster, let acl else { return true }
    return (try? AccessList(JSON(parsing: acl, values: .max)))?.mayRead(caller) ?? false
  }

  func lets(_ object: StoredObject) -> Bool { object.points(anyOf: fields, to: caller) }
}

/// The finds of a scan, as far as the answer needs them.
private struct Result {
  private let query: ObjectQuery
  private let isInOrder: Bool
  private var rows: [(row: ObjectRow, bytes: Int)] = []
  private var bytes = 0
  /// The objects that matched so far, and how many there are if that is known otherwise.
  private(set) var seen: Int
  var count: Int?
  private(set) var fault: ObjectError?

  /// - Parameter skipped: objects that are not handed over, as they are skipped.
  init(_ query: ObjectQuery, isInOrder: Bool, skipped: Int) {
    (self.query, self.isInOrder, seen) = (query, isInOrder, skipped)
  }

  /// The objects that have to be known, from the first one on; the skipped ones too, where they have yet to be sorted.
  /// More than `AppsLimits.sorted` are refused, but a request may name any number.
  private var wanted: Int { isInOrder ? query.limit : min(query.skip, AppsLimits.sorted) + query.limit }

  /// - Returns: true if nothing more is needed.
  mutating func take(_ row: ObjectRow, _ size: Int) -> Bool {
    seen += 1
    if !isInOrder, query.skip > AppsLimits.sorted {
      fault = .query("skip: \(query.skip); up to \(AppsLimits.sorted) are accepted where objects are sorted.")
      return true
    }
    if query.limit > 0, !isInOrder || seen > query.skip && rows.count < wanted {
      rows.append((row, size))
      bytes += size
    }
    if isInOrder {
      check()
    } else if rows.count >= 2 * wanted + 1_000 || bytes > 2 * AppsLimits.answerBytes {
      cut()
    }
    return fault != nil || isInOrder && rows.count >= wanted && (!query.counts || count != nil)
  }

  /// Leaves the first of what has to be sorted.
  private mutating func cut() {
    rows = Array(sorted().prefix(wanted))
    bytes = rows.reduce(0) { $0 + $1.bytes }
    check()
  }

  private mutating func check() {
    guard bytes > AppsLimits.answerBytes else { return }
    fault = .tooLarge("What was found has more than \(AppsLimits.answerBytes) bytes; ask for less by limit or keys.")
  }

  private func sorted() -> [(row: ObjectRow, bytes: Int)] {
    let inTime = rows.sorted { ($0.row.object.createdAt, $0.row.number) < ($1.row.object.createdAt, $1.row.number) }
    guard query.isSorted else { return inTime }
    let known = Dictionary(inTime.map { ($0.row.object.id, $0) }) { first, _ in first }
    return query.sorted(inTime.map(\.row.object)).compactMap { known[$0.id] }
  }

  /// The result, when there is nothing more to be found.
  mutating func objects() -> [StoredObject] {
    if isInOrder { return rows.map(\.row.object) }
    cut()
    return rows.dropFirst(query.skip).prefix(query.limit).map(\.row.object)
  }
}
