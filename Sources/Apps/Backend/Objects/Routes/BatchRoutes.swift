import Objects
import Server
import Wire

/// Several requests as one. Those that change objects of classes are one commit, so that it costs one sync; each is
/// refused alone unless the batch is a transaction.
struct BatchRoutes: Sendable {
  let objects: AppObjects

  func add(to routes: inout ParseRoutes) {
    // The table as it is when all are in it: see `ParseRoutes.all`.
    let table = routes
    routes.on(.post, "/batch") { request throws(HTTPError) in try await run(request, table) }
  }

  private func run(_ request: ParseRequest, _ table: ParseRoutes) async throws(HTTPError) -> ParseAnswer {
    guard let parts = request.body["requests"]?.array, parts.count <= AppsLimits.batch else {
      throw ObjectError.json("requests must be an array, of \(AppsLimits.batch) requests at most").http
    }
    var all: [ParseRequest] = []
    for part in parts { all.append(try Self.part(part, of: request)) }
    let isOne = request.body["transaction"]?.bool ?? false
    guard all.allSatisfy(\.isWriteOfClass) else {
      guard !isOne else {
        throw ObjectError.json("A transaction has POST, PUT and DELETE of /classes alone.").http
      }
      try await objects.takeID(of: request)
      return ParseAnswer(json: try await oneByOne(all, table))
    }
    return ParseAnswer(json: try await together(all, of: request, isOne: isOne))
  }

  /// Past the bytes of one answer, nothing more is done.
  private func oneByOne(_ all: [ParseRequest], _ table: ParseRoutes) async throws(HTTPError) -> JSON {
    var answers: [JSON] = []
    var bytes = 0
    for one in all {
      do throws(HTTPError) {
        guard bytes <= AppsLimits.answerBytes else {
          throw ObjectError.tooLarge("The answers before this one have as many bytes as are sent at once.").http
        }
        guard let handler = table.handler(one.method, one.path) else {
          throw ObjectError.json("cannot route \(one.method.name) /\(one.path.joined(separator: "/"))").http
        }
        let answer = try await handler(one).json
        bytes += answer.bytes.count
        guard one.method != .get || bytes <= AppsLimits.answerBytes else {
          throw ObjectError.tooLarge("The answers have more bytes than are sent at once.").http
        }
        answers.append(["success": answer])
      } catch {
        answers.append(["error": error.parse])
      }
    }
    return .array(answers)
  }

  private func together(_ all: [ParseRequest], of request: ParseRequest, isOne: Bool) async throws(HTTPError) -> JSON {
    let dotted = all.reduce(0) { sum, one in sum + (one.body.members ?? []).count(where: { $0.name.contains(".") }) }
    guard dotted <= AppsLimits.dottedNames else {
      throw ObjectError.tooLarge("\(dotted) names with a dot; a batch has \(AppsLimits.dottedNames) at most.").http
    }
    var edits: [Result<ObjectEdit?, HTTPError>] = []
    // Webhooks are asked before the commit begins.
    for one in all { edits.append(await one.wish(objects.triggers, in: request)) }
    let wishes = Array(zip(all, edits))
    return try await objects.write(request) { writer in
      var answers: [JSON] = []
      for (one, edit) in wishes {
        if isOne {
          answers.append(["success": try one.written(by: writer, edit)])
          continue
        }
        do {
          answers.append(["success": try writer.part { try one.written(by: writer, edit) }])
        } catch let refusal as ObjectError {
          answers.append(["error": refusal.json])
        } catch let refusal as HTTPError {
          answers.append(["error": refusal.parse])
        }
      }
      return .array(answers)
    }
  }

  /// A request within a batch; its path begins with the mount's.
  private static func part(_ json: JSON, of whole: ParseRequest) throws(HTTPError) -> ParseRequest {
    let target = json["path"]?.string ?? ""
    let pieces = target.split(separator: "?", maxSplits: 1)
    var path = (pieces.first ?? "").split(separator: "/").map { percentDecoded($0) ?? "" }
    if path.first == String(ParseRoutes.mount.dropFirst()) { path.removeFirst() }
    guard let method = json["method"]?.string.flatMap({ ParseRoutes.methods[$0.uppercased()] }), !path.isEmpty,
      path != ["batch"]
    else { throw ObjectError.json("cannot route batch path \(target.prefix(100))").http }
    let body = json["body"]?.parseBody ?? [:]
    let parameters = ParseRoutes.parameters(pieces.count > 1 ? pieces[1] : "")
    return ParseRequest(
      app: whole.app, caller: whole.caller, method: method, path: ParseRoutes.whole(path), body: body,
      parameters: parameters + (method == .get ? body.members ?? [] : []), requestID: nil, raw: whole.raw)
  }
}

extension ParseRequest {
  /// True for what a writer does without waiting for anything else.
  fileprivate var isWriteOfClass: Bool {
    guard part(0) == "classes", !ClassSchema.systemClasses.contains(part(1)) else { return false }
    return method == .post && path.count == 2 || [.put, .delete].contains(method) && path.count == 3
  }

  /// The changes to an object; nil if it removes one.
  /// - Parameter batch: it has the caller, and the id by which it is repeated.
  fileprivate func wish(_ triggers: Triggers, in batch: ParseRequest) async -> Result<ObjectEdit?, HTTPError> {
    do throws(HTTPError) {
      guard method == .delete else { return .success(try await edit(asking: triggers, in: batch)) }
      try await triggers.beforeDelete(part(1), part(2), of: batch)
      return .success(nil)
    } catch {
      return .failure(error)
    }
  }

  fileprivate func written(by writer: ObjectWriter, _ edit: Result<ObjectEdit?, HTTPError>) throws -> JSON {
    switch (method, try edit.get()) {
    case (.post, let edit?):
      let (object, told) = try writer.create(part(1), edit)
      return ClassRoutes.created(object, told)
    case (.put, let edit?):
      let (object, told) = try writer.update(part(1), part(2), edit)
      return ClassRoutes.updated(object, told)
    default:
      _ = try writer.delete(part(1), part(2))
      return [:]
    }
  }
}
