import Hub
import Lifecycle
import Objects
import Server
import Wire

/// Sessions of users: what somebody is signed in with, and where else.
struct SessionRoutes: Sendable {
  let objects: AppObjects

  func add(to routes: inout ParseRoutes) {
    routes.on(.post, "/classes/_Session") { request throws(HTTPError) in try await make(request, action: "create") }
    routes.on(.post, "/upgradeToRevocableSession") { request throws(HTTPError) in
      try await make(request, action: "upgrade")
    }
    routes.on(.get, "/sessions/me") { request throws(HTTPError) in
      let json = try await objects.read(request) { try $0.own("_Session", request.parameters) }
      return ParseAnswer(json: json)
    }
    routes.on(.put, "/sessions/me") { request throws(HTTPError) in
      let edit = try ObjectError.told { () throws(ObjectError) in try ObjectEdit(request.body) }
      return try await change(request) { writer, id in
        let (object, told) = try writer.update("_Session", id, edit)
        return ClassRoutes.updated(object, told)
      }
    }
    routes.on(.delete, "/sessions/me") { request throws(HTTPError) in
      try await change(request) { writer, id in
        _ = try writer.delete("_Session", id)
        return [:]
      }
    }
  }

  private func make(_ request: ParseRequest, action: String) async throws(HTTPError) -> ParseAnswer {
    guard let user = request.caller.user else { throw ObjectError.invalidSession.http }
    let json = try await objects.write(request) { try $0.makeSession(of: user, action: action) }
    return ParseAnswer(status: action == "create" ? 201 : 200, json: json)
  }

  private func change(
    _ request: ParseRequest, _ body: @escaping @Sendable (ObjectWriter, _ id: String) throws -> JSON
  ) async throws(HTTPError) -> ParseAnswer {
    ParseAnswer(
      json: try await objects.write(request) { writer in
        guard let token = request.caller.session,
          let id = try writer.database.session(token, of: writer.app.id, now: writer.change.now)?.session
        else { throw ObjectError.invalidSession }
        return try body(writer, id)
      })
  }
}
