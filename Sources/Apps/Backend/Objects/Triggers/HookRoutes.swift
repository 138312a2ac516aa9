import Hub
import Objects
import Server
import Webhooks
import Wire

/// Webhooks in place of cloud code: whoever has the master key sets them, and clients call functions by their names.
struct HookRoutes: Sendable {
  let objects: AppObjects
  private var triggers: Triggers { objects.triggers }
  private var hooks: Hooks { objects.hooks }

  func add(to routes: inout ParseRoutes) {
    routes.on(.post, "/functions/{name}", call)
    for (kind, name) in [("functions", "{name}"), ("triggers", "{class}/{trigger}")] {
      routes.on(.get, "/hooks/\(kind)") { request throws(HTTPError) in try all(kind, request) }
      routes.on(.post, "/hooks/\(kind)") { request throws(HTTPError) in try await make(kind, request) }
      routes.on(.get, "/hooks/\(kind)/\(name)") { request throws(HTTPError) in try one(kind, request) }
      routes.on(.put, "/hooks/\(kind)/\(name)") { request throws(HTTPError) in try await change(kind, request) }
    }
    routes.on(.get, "/hooks/key") { request throws(HTTPError) in
      try request.needsMaster()
      return ParseAnswer(json: ["webhookKey": .string(HookCalls.key(of: request.app))])
    }
  }

  // MARK: Functions

  private func call(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    let name = request.part(1)
    guard let hook = hooks.hook(.function(name), of: request.app.id) else {
      throw ObjectError.script("Invalid function: \"\(name.prefix(AppsLimits.functionBytes))\"").http
    }
    let user = try await triggers.user(of: request.caller, request.app)
    let question = HookCalls.asking(request.caller, user) + [.init("params", request.body)]
    let result = try await triggers.calls.call(hook, of: request.app, question) { () async throws(HTTPError) in
      try await objects.takeID(of: request)
    }
    return ParseAnswer(json: ["result": result])
  }

  // MARK: Setting

  private func all(_ kind: String, _ request: ParseRequest) throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    let hooks = hooks.all(of: request.app.id).filter { hook in
      if case .function = hook.name { kind == "functions" } else { kind == "triggers" }
    }
    return ParseAnswer(json: .array(hooks.map(\.json).sorted { $0.text < $1.text }))
  }

  private func one(_ kind: String, _ request: ParseRequest) throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    let name = try name(kind, Array(request.path.dropFirst(2)))
    guard let hook = hooks.hook(name, of: request.app.id) else { throw Hook.missing(name).http }
    return ParseAnswer(json: hook.json)
  }

  private func make(_ kind: String, _ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    let parts = (kind == "functions" ? ["functionName"] : ["className", "triggerName"])
      .map { request.body[$0]?.string ?? "" }
    return try await save(Hook(name: try name(kind, parts), url: try url(request.body)), request, isNew: true)
  }

  private func change(_ kind: String, _ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    let name = try name(kind, Array(request.path.dropFirst(2)))
    if request.body["__op"]?.string == "Delete" {
      try await objects.write(request) { [hooks] writer in
        try hooks.remove(name, of: writer.app.id, in: writer.change)
      }
      return ParseAnswer(json: [:])
    }
    return try await save(Hook(name: name, url: try url(request.body)), request, isNew: false)
  }

  private func save(_ hook: Hook, _ request: ParseRequest, isNew: Bool) async throws(HTTPError) -> ParseAnswer {
    try await objects.write(request) { [hooks] writer in
      // Looked for behind the request's id: a repeated one is told that it was done, and not that its hook is there.
      let isThere = hooks.hook(hook.name, of: writer.app.id) != nil
      guard isThere != isNew else { throw isNew ? Hook.taken(hook.name) : Hook.missing(hook.name) }
      try hooks.set(hook, of: writer.app.id, in: writer.change)
    }
    return ParseAnswer(json: hook.json)
  }

  private func name(_ kind: String, _ parts: [String]) throws(HTTPError) -> Hook.Name {
    try ObjectError.told { () throws(ObjectError) in try Hook.Name(kind, parts) }
  }

  private func url(_ body: JSON) throws(HTTPError) -> String {
    guard let url = body["url"]?.string else { throw Hook.wrong("url is missing.").http }
    if let fault = WebhookAddress.fault(url, listed: objects.hub.reachable) { throw Hook.wrong("url: \(fault)").http }
    return url
  }
}
