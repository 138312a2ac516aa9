import Hub
import Objects
import Server
import Wire

/// The objects of an app as its owners see and change them: what Parse's API answers to the master key, at the
/// hub's own addresses and with the rights of people, so that the app's page needs no key.
struct OwnerObjects: Sendable {
  let hub: Hub
  let routes: ParseRoutes

  /// The parts of Parse's API that an app's page needs.
  private static let paths: [(path: String, methods: [Method])] = [
    ("/schemas", [.get]),
    ("/schemas/{class}", [.get, .post, .put, .delete]),
    ("/classes/{class}", [.get, .post]),
    ("/classes/{class}/{object}", [.get, .put, .delete]),
    ("/purge/{class}", [.delete]),
  ]

  func add(to router: inout Router) {
    for (path, methods) in Self.paths {
      for method in methods {
        router.on(
          method, "\(AppRoutes.onePath)/objects\(path)", bodyLimit: AppsLimits.requestBytes,
          admit: hub.needs(.manageApps), .task(answer))
      }
    }
  }

  private func answer(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, app) = try await hub.app(request)
    if let told = try await hub.answer(repeating: request, as: principal) { return told }
    let response: @Sendable (ParseAnswer) -> Response = { answer in
      Response(status: answer.status, json: FileAddresses(app, hub, for: request).renewed(answer.json)).notStored()
    }
    // api, v1, apps and the app's id come before.
    let path = request.head.path.split(separator: "/").dropFirst(5).map { percentDecoded($0) ?? "" }
    let parsed = ParseRequest(
      app: app, caller: .master, method: request.head.method, path: Array(path),
      body: request.body.isEmpty ? [:] : try request.json(),
      parameters: ParseRoutes.parameters(request.head.query ?? ""),
      // One key of two owners, or a client's id that is the same, means another request.
      requestID: request.head.fields["idempotency-key"].map { "\(principal.caller) \($0)" }, raw: request,
      keep: { answer, change in try change.keep(response(answer), to: request, as: principal) })
    guard let handler = routes.handler(parsed.method, parsed.path) else {
      throw HTTPError(.noSuchPage, "Nothing answers there.", help: "Docs/apps.md lists what there is.")
    }
    do throws(HTTPError) {
      return response(try await handler(parsed))
    } catch {
      // The same request was under way, and is done by now.
      guard error.foreign == ObjectError.repeated.json,
        let told = try await hub.answer(repeating: request, as: principal)
      else { throw error }
      return told
    }
  }
}
