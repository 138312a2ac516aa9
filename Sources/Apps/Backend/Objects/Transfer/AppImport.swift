import Crypto
import Hub
import Objects
import Server
import Store
import Terminal
import Wire

/// Makes an app of a folder that `AppExport` wrote, with keys of its own. Every line is checked as a request would be;
/// if one does not fit, nothing is left of the app.
struct AppImport {
  private let hub: Hub
  private let cache = ClassCache()

  init(_ hub: Hub) { self.hub = hub }

  /// - Returns: the app with what is shown once.
  func read(_ folder: String) async throws -> JSON {
    let path = "\(folder)/\(AppExport.lines)"
    let reader = try LineReader(path)
    guard let first = try reader.next()?["app"], first["format"]?.int == AppExport.format,
      let name = first["name"]?.string.flatMap({ FieldCheck.line($0) })
    else {
      throw CommandError("\(path), line 1: no app in format \(AppExport.format); what app export wrote is accepted.")
    }
    let options = AppOptions(kept: (first["options"] ?? [:]).text)
    let (app, made) = try await hub.commit(as: .commandLine) { change in
      var (app, made) = try AppChange.make(name, in: change)
      app.options = options
      try change.database.save(app)
      return (app, made)
    }
    do {
      try await readLines(reader, folder, path, into: app)
    } catch {
      _ = try await hub.commit(as: .commandLine) { change in try AppChange.remove(app.id, in: change) }
      throw error
    }
    return app.json(showing: made)
  }

  private func readLines(_ reader: LineReader, _ folder: String, _ path: String, into app: App) async throws {
    while true {
      var lines: [(number: Int, json: JSON, blob: Blob?)] = []
      for (number, line) in try reader.some() {
        var blob: Blob?
        if let file = line["file"] { blob = try await content(of: file, folder, "\(path), line \(number)") }
        lines.append((number, line, blob))
      }
      if lines.isEmpty { return }
      let (batch, cache) = (lines, cache)
      try await hub.commit(as: .commandLine) { change in
        for (number, line, blob) in batch {
          do {
            try Self.take(line, blob, into: app, in: change, cache)
          } catch let refusal as ObjectError {
            throw HTTPError(
              .invalidField, "\(path), line \(number): \(refusal.message)", help: "The app was not imported.")
          }
        }
      }
    }
  }

  /// Takes a file's bytes.
  private func content(of file: JSON, _ folder: String, _ line: String) async throws -> Blob {
    guard let name = file["name"]?.string.flatMap({ FileName($0) }) else {
      throw CommandError("\(line): no file's name; those that an export wrote are accepted.")
    }
    let reader = try LineReader("\(folder)/\(AppExport.files)/\(name.text)")
    let upload = hub.store.blobs.upload(limit: AppsLimits.fileBytes)
    while case let piece = try reader.read(), !piece.isEmpty { try await upload.append(piece) }
    let blob = try await upload.finish()
    // A copy of the folder may have been cut off.
    guard blob.size == file["size"]?.int ?? blob.size else {
      throw CommandError(
        "\(line): \(AppExport.files)/\(name.text) has \(blob.size) bytes, and had \(file["size"]?.int ?? 0).")
    }
    return blob
  }

  private static func take(_ line: JSON, _ blob: Blob?, into app: App, in change: Change, _ cache: ClassCache) throws {
    let database = change.database
    if let schema = line["schema"] {
      var schema = try ClassSchema(kept: schema)
      guard ClassSchema.isClassName(schema.name) else { throw ObjectError.className(schema.name) }
      guard try database.storedClass(schema.name, of: app.id, cache) == nil else {
        throw ObjectError.schema("the class \(schema.name) is there twice")
      }
      // Earlier versions left the index of a field that was removed in the schema.
      schema.indexes = schema.indexes.filter { schema.type(of: $0.value) != nil }
      let stored = try database.add(schema, to: app.id, version: ObjectWriter.version(), now: change.now)
      // The class has no objects yet, so its indexes lack none.
      for field in Set(schema.indexes.values) where stored.index(of: field) == nil {
        _ = try database.addIndex(of: field, to: stored, built: nil, now: change.now)
      }
      return
    }
    if let file = line["file"], let name = file["name"]?.string, let blob {
      guard try database.file(name, of: app.id) == nil else { throw ObjectError.json("\(name) is there twice") }
      let type = file["type"]?.string ?? "application/octet-stream"
      try database.add(KeptFile(app: app.id, name: name, type: type, size: blob.size), blob, now: change.now)
      return
    }
    if let config = line["config"] {
      let hidden = Set((config["hidden"]?.array ?? []).compactMap(\.string))
      try database.save(AppConfig(parameters: config["params"]?.members ?? [], hidden: hidden), of: app.id)
      return
    }
    if let hook = line["hook"] {
      let trigger = [hook["className"]?.string, hook["triggerName"]?.string].compactMap(\.self)
      let function = hook["functionName"]?.string
      let name = try Hook.Name(function == nil ? "triggers" : "functions", function.map { [$0] } ?? trigger)
      try database.save(Hook(name: name, url: hook["url"]?.string ?? ""), of: app.id)
      return
    }
    try takeObject(line, into: app, database, cache)
  }

  /// Takes more of what a relation of an object leads to, which stands on an earlier line.
  private static func takeRelation(_ relation: JSON, of stored: StoredClass, _ database: Database) throws {
    guard let field = relation["field"]?.string, case .relation? = stored.schema.fields[field]?.type,
      let row = try database.object(relation["object"]?.string ?? "", of: stored),
      let targets = relation["targets"]?.array
    else { throw ObjectError.json("a relation without its object, field and targets, as an export has them") }
    var bytes = 0
    for target in targets.compactMap(\.string) where target.utf8.count <= ObjectsLimits.idBytes {
      bytes += try database.relate(row.number, field, to: target)
    }
    database.add((0, bytes), by: Database.countObjects, to: stored.app)
  }

  private static func takeObject(_ line: JSON, into app: App, _ database: Database, _ cache: ClassCache) throws {
    guard let name = line["class"]?.string, let body = line["object"] ?? line["relation"] else {
      throw ObjectError.json("neither a schema nor an object of a class")
    }
    guard let stored = try database.storedClass(name, of: app.id, cache) else {
      throw ObjectError.className(name)
    }
    if line["object"] == nil { return try takeRelation(body, of: stored, database) }
    guard let id = body["objectId"]?.string, !id.isEmpty, id.utf8.count <= ObjectsLimits.idBytes,
      let createdAt = body["createdAt"]?.string.flatMap({ ObjectDate.milliseconds($0) }),
      let updatedAt = body["updatedAt"]?.string.flatMap({ ObjectDate.milliseconds($0) })
    else { throw ObjectError.json("objectId, createdAt and updatedAt are needed, as an export has them") }
    let edit = try ObjectEdit(body)
    var schema = stored.schema
    if let new = try edit.fit(&schema).first { throw ObjectError.fieldName("\(name) has no field \(new)") }
    var object = StoredObject(className: name, id: id, createdAt: createdAt, updatedAt: updatedAt)
    _ = try edit.apply(to: &object)
    guard try database.object(id, of: stored) == nil else {
      throw ObjectError.duplicate("\(name) \(id) is there twice")
    }
    let kept = try ObjectWriter.body(of: object)
    let number = try database.add(object, body: kept, to: stored)
    var bytes = kept.utf8.count
    for (field, targets, _) in edit.relations {
      for target in targets { bytes += try database.relate(number, field, to: target) }
    }
    database.add((1, bytes), by: Database.countObjects, to: app.id)
    let files = ObjectWriter.files(in: object)
    if !files.isEmpty { try database.use(files, insteadOf: [], in: number, of: app.id) }
    guard name == "_User", let user = line["user"], let userName = user["name"]?.string else { return }
    try database.save(
      UserRow(
        object: number, id: id, name: userName, email: user["email"]?.string, anonymous: user["anonymous"]?.string,
        password: user["password"]?.string.map { PasswordHash(kept: $0) }), of: app.id)
  }
}
