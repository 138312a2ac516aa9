import Hub
import Server
import Store
import Wire

struct KettleRoutes: Sendable {
  let hub: Hub
  let board: KettleBoard
  let watch: KettleWatch

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/kettle", .task(kettle))
    router.on(.post, "/api/v1/kettle", admit: hub.needs(.putKettleOn), .task(putOn))
    router.on(
      .put, "/api/v1/kettle/tea", bodyLimit: KettleLimits.teaBytes, admit: hub.needs(.putKettleOn), .task(chooseTea))
  }

  private func kettle(_ request: Request) async throws(HTTPError) -> Response {
    let isForAll = await hub.visitor(request)?.may(.putKettleOn) != true
    let kettle = try await hub.read { database throws(StoreError) in try database.kettle() }
    return Response(json: kettle?.json(isForAll: isForAll) ?? ["hot": false, "since": nil])
  }

  private func putOn(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .putKettleOn)
    return try await hub.commit(once: request, as: principal) { [board, watch] change in
      let kettle = try KettleChange.putOn(in: change)
      change.then {
        board.set(kettle)
        watch.wake()
      }
      return Response(status: 201, json: kettle.json(isForAll: false)).asOf(commit: change.number)
    }
  }

  private func chooseTea(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .putKettleOn)
    var check = FieldCheck(try request.json(), known: ["tea"])
    let tea = check.line("tea", isNeeded: true)
    try check.finish(help: "Nothing was changed. Send {\"tea\": \"Assam\"}.")
    return try await hub.commit(as: principal) { [board] change in
      let kettle = try KettleChange.choose(tea: tea ?? "", in: change)
      change.then { board.set(kettle) }
      return Response(json: kettle?.json(isForAll: false) ?? [:]).asOf(commit: change.number)
    }
  }
}
