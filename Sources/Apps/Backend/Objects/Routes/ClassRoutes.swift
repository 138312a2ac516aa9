import Objects
import Server
import Wire

/// Objects of classes: one and many, made, changed and removed.
struct ClassRoutes: Sendable {
  let objects: AppObjects

  func add(to routes: inout ParseRoutes) {
    routes.on(.post, "/classes/{class}", create)
    routes.on(.get, "/classes/{class}", find)
    routes.on(.get, "/classes/{class}/{id}", get)
    routes.on(.put, "/classes/{class}/{id}", update)
    routes.on(.delete, "/classes/{class}/{id}", delete)
  }

  private func create(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    let edit = try await request.edit(asking: objects.triggers)
    return try await objects.write(making: request) { writer in
      let (object, told) = try writer.create(request.part(1), edit)
      return ParseAnswer(
        status: 201, json: Self.created(object, told),
        fields: [.init("Location", "\(ParseRoutes.mount)/classes/\(object.className)/\(object.id)")])
    }
  }

  private func update(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    let edit = try await request.edit(asking: objects.triggers)
    let (object, told) = try await objects.write(request) { try $0.update(request.part(1), request.part(2), edit) }
    return ParseAnswer(json: Self.updated(object, told))
  }

  private func delete(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try await objects.triggers.beforeDelete(request.part(1), request.part(2), of: request)
    try await objects.delete(request.part(1), request.part(2), of: request)
    return ParseAnswer(json: [:])
  }

  private func find(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    ParseAnswer(
      json: try await objects.readBriefly(request.part(1), of: request.app, as: request.caller) {
        try $0.find(request.part(1), request.parameters)
      })
  }

  private func get(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    ParseAnswer(
      json: try await objects.get(
        request.app, as: request.caller, request.part(1), request.part(2), request.parameters))
  }

  // MARK: Answers

  static func created(_ object: StoredObject, _ told: [String]) -> JSON {
    .object(
      [
        .init("objectId", .string(object.id)), .init("createdAt", .string(ObjectDate.text(object.createdAt))),
      ] + told.compactMap { name in object[name].map { .init(name, $0) } })
  }

  static func updated(_ object: StoredObject, _ told: [String]) -> JSON {
    .object(
      [.init("updatedAt", .string(ObjectDate.text(object.updatedAt)))]
        + told.compactMap { name in object[name].map { .init(name, $0) } })
  }
}

extension ParseRequest {
  /// The fields that a request sets of an object of a class, or of a new one, with what the class' webhook sets.
  /// - Parameter batch: the batch of which it is a part; nil for a request of its own.
  func edit(asking triggers: Triggers, in batch: ParseRequest? = nil) async throws(HTTPError) -> ObjectEdit {
    let edit: ObjectEdit = try ObjectError.told { () throws(ObjectError) in
      // The id of a new object is drawn by the hub.
      if method == .post, let id = body["objectId"], id != .null {
        throw .fieldName("objectId is an invalid field name.")
      }
      return try ObjectEdit(body)
    }
    return try await triggers.beforeSave(part(1), method == .post ? nil : part(2), edit, of: batch ?? self)
  }
}
