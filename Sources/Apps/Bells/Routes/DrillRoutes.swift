import Delivery
import Hub
import Server
import Store
import Wire

/// "Try it before the night": the rooms whose devices can be rung for a test, and who has answered.
struct DrillRoutes: Sendable {
  let hub: Hub
  let drills: Drills

  private static let path = "/api/v1/drills"

  func add(to router: inout Router) {
    router.on(.get, Self.path, .task(list))
    router.on(.post, Self.path, admit: hub.needs(.enter), .task(begin))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    let items = try await hub.read { [drills] database throws(StoreError) in
      let mine = try drills.subjects(askedBy: principal.person, in: database).filter { principal.may($0.right) }
      return try mine.map { subject throws(StoreError) in try Self.json(subject, database) }
    }
    return Response(json: ["drills": .array(items)]).notStored()
  }

  private static func json(_ subject: Drills.Subject, _ database: Database) throws(StoreError) -> JSON {
    let last = try database.lastDrill(of: subject.room)
    let now = try database.audibleDevices(of: subject.recipients)
    let kinds = Dictionary(now.devices.map { ($0.id, $0.kind.rawValue) }, uniquingKeysWith: { first, _ in first })
    let devices = try last.map { device throws(StoreError) -> JSON in
      [
        "device": JSON(id: device.device), "name": .string(device.name), "kind": JSON(kinds[device.device]),
        "person": JSON(try device.person.flatMap { id throws(StoreError) in try database.personName(id) }),
        "rang": .bool(device.rangAt != nil),
        "answered_after_s": JSON(device.answeredAt.map { (($0 - device.at) * 10).rounded() / 10 }),
      ]
    }
    var without: [JSON] = []
    for id in now.without { if let name = try database.personName(id) { without.append(.string(name)) } }
    return [
      "room": .string(subject.room),
      "name": ["en": .string(subject.name.english), "de": .string(subject.name.german)],
      "rings": .int(min(now.devices.count, BellsLimits.drilled)), "without": .array(without),
      "id": JSON(id: last.first?.drill), "at": JSON(instant: last.first?.at), "devices": .array(devices),
    ]
  }

  private func begin(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    var body = try FieldCheck(request, known: ["room"])
    let wanted = body.line("room", isNeeded: true) ?? ""
    try body.finish(help: "Example: {\"room\": \"space\"}")
    return try await hub.commit(once: request, as: principal) { [drills] change in
      let subjects = try drills.subjects(askedBy: principal.person, in: change.database)
      guard let subject = subjects.first(where: { $0.room == wanted }) else {
        throw HTTPError(
          .nothingToDrill, "There is no room \"\(wanted.prefix(40))\" that rings.",
          help: "These can be tried: \(subjects.map(\.room).joined(separator: ", ")).")
      }
      try principal.demand(subject.right)
      let begun = try drills.begin(subject, in: change)
      return Response(status: 202, json: ["id": JSON(id: begun.id), "devices": .int(begun.devices)])
        .asOf(commit: change.number)
    }
  }
}
