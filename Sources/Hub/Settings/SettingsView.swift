import Server
import Store
import Wire

/// All parts of the settings as one object: read with one ETag, checked together, and saved in one change.
struct SettingsView: Sendable {
  let hub: Hub
  private var parts: [any SettingsPart] { hub.settings.all }

  func add(to router: inout Router) {
    for address in hub.settings.addresses {
      router.on(.get, address, .task(read))
      router.on(.put, address, admit: hub.needs(.manage), .task(save))
    }
  }

  // MARK: Reading

  private func read(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .manage)
    let found = try await hub.read { database throws(StoreError) -> JSON? in try kept(in: database) }
    guard let found else { throw hub.settings.notSetUp }
    return Response(json: found, etag: Self.tag(of: found))
  }

  private func kept(in database: Database) throws(StoreError) -> JSON? {
    var members: [JSON.Member] = []
    for part in parts {
      guard let found = try part.kept(in: database) else { return nil }
      members += found
    }
    return object(members)
  }

  private func object(_ members: [JSON.Member]) -> JSON { .object(sorted(members, by: \.name)) }

  private static func tag(of json: JSON) -> String { Response.etag(of: json.bytes) }

  // MARK: Saving

  /// Saves all fields, or answers with the errors of each. Missing fields are cleared.
  private func save(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    let drafts = try check(request)
    let wanted = object(drafts.flatMap(\.members))
    try await hub.commit(as: principal) { change in
      if request.isConditional {
        let tag = try kept(in: change.database).map(Self.tag)
        try request.demand(unchanged: tag, "the settings", now: change.now)
      }
      try change.audit("settings.changed")
      for draft in drafts { try draft.save(change) }
    }
    for part in parts { await part.settled() }
    return Response(json: wanted, etag: Self.tag(of: wanted))
  }

  private func check(_ request: Request) throws(HTTPError) -> [SettingsDraft] {
    let known = sorted(parts.flatMap(\.fields), by: \.self)
    var check = try FieldCheck(request, known: known, nullIsNothing: true)
    var drafts: [SettingsDraft] = []
    for part in parts {
      if let draft = part.read(&check) { drafts.append(draft) }
    }
    guard check.errors.isEmpty, drafts.count == parts.count else {
      // Errors of unknown fields come first.
      let (known, unknown) = (
        check.errors.filter { known.contains($0.root) }, check.errors.filter { !known.contains($0.root) }
      )
      throw FieldErrors(unknown + sorted(known, by: \.root))
        .refusal(help: "The fields are described at /api/openapi.yaml.")
    }
    return drafts
  }

  // MARK: Order

  /// Sorts by the order of the fields; elements of the same field keep their order.
  private func sorted<Element>(_ elements: [Element], by field: (Element) -> String) -> [Element] {
    let order = hub.settings.order
    let ranked = elements.enumerated().map { place, element in
      (rank: order.firstIndex(of: field(element)) ?? order.count, place: place, element: element)
    }
    return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.element)
  }
}

extension FieldError {
  /// The top-level field of a path: "calendars" for "calendars[0].url".
  fileprivate var root: String { String(field.prefix { $0 != "." && $0 != "[" }) }
}
