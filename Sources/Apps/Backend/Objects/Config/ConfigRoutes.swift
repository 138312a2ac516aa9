import Objects
import Server
import Wire

/// Parameters of an app that its clients read and its owner sets, such as a greeting (Parse's config).
struct ConfigRoutes: Sendable {
  let objects: AppObjects

  /// The class as which Parse's libraries see it.
  private static let className = "_GlobalConfig"

  func add(to routes: inout ParseRoutes) {
    routes.on(.get, "/config") { request throws(HTTPError) in
      let config = try await config(of: request)
      let shown = config.parameters.filter { request.caller.isMaster || !config.hidden.contains($0.name) }
      var members = [JSON.Member("params", .object(shown))]
      if request.caller.isMaster {
        members.append(
          .init("masterKeyOnly", .object(shown.map { .init($0.name, .bool(config.hidden.contains($0.name))) })))
      }
      return ParseAnswer(json: .object(members))
    }
    routes.on(.put, "/config", set)
    routes.on(.get, "/classes/\(Self.className)") { request throws(HTTPError) in
      try Self.check(request)
      let config = try await config(of: request)
      let all: [JSON] = config == AppConfig() ? [] : [["objectId": "1", "params": .object(config.parameters)]]
      return ParseAnswer(json: ["results": .array(all)])
    }
    routes.on(.delete, "/classes/\(Self.className)/{id}") { request throws(HTTPError) in
      try Self.check(request)
      try await objects.write(request) { try $0.database.save(AppConfig(), of: $0.app.id) }
      return ParseAnswer(json: [:])
    }
  }

  private static func check(_ request: ParseRequest) throws(HTTPError) {
    guard request.caller.isMaster else {
      throw ObjectError.forbidden("The config is set with the master key.").http
    }
  }

  private func config(of request: ParseRequest) async throws(HTTPError) -> AppConfig {
    try await objects.read(request) { try $0.database.config(of: $0.app.id) }
  }

  /// Sets those parameters that are named; null removes one.
  private func set(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try Self.check(request)
    guard let new = request.body["params"]?.members else {
      throw ObjectError.json("There are no params; {\"params\":{\"greeting\":\"Ahoy\"}} is accepted.").http
    }
    let hidden = request.body["masterKeyOnly"]
    try await objects.write(request) { writer in
      var config = try writer.database.config(of: writer.app.id)
      for parameter in new {
        guard ClassSchema.isFieldName(parameter.name) else {
          throw ObjectError.fieldName(
            "Invalid parameter: \(parameter.name.prefix(60)). A letter, then letters, digits and _ are accepted.")
        }
        let operation = parameter.value["__op"]
        guard operation == nil || operation == "Delete" else {
          throw ObjectError.json("\(parameter.name): __op \(operation?.text ?? ""); a value or Delete is accepted.")
        }
        config.hidden.remove(parameter.name)
        if parameter.value == .null || operation != nil {
          config.parameters.removeAll { $0.name == parameter.name }
          continue
        }
        config.parameters.set(parameter.name, try FieldValue.checked(parameter.value, of: parameter.name))
        if hidden?[parameter.name] == true { config.hidden.insert(parameter.name) }
      }
      let bytes = JSON.object(config.parameters).text.utf8.count
      guard config.parameters.count <= AppsLimits.configParameters, bytes <= AppsLimits.configBytes else {
        throw ObjectError.tooLarge(
          "\(config.parameters.count) parameters of \(bytes) bytes; \(AppsLimits.configParameters) of "
            + "\(AppsLimits.configBytes) together are accepted.")
      }
      try writer.database.save(config, of: writer.app.id)
    }
    return ParseAnswer(json: ["result": true])
  }
}
