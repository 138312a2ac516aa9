import Crypto
import Glibc
import Hub
import Lifecycle
import Objects
import Store
import Terminal
import Wire

/// All data of an app in a folder: `app.ndjson` with the app, its classes and objects, one a line, and its files in
/// `files/`.
///
/// | Line | |
/// |---|---|
/// | `{"app": {"format": 1, "name", "options"}}` | the first |
/// | `{"schema": …}` | a class, as `/schemas` shows it |
/// | `{"file": {"name", "type", "size"}}` | a file, whose bytes are in `files/NAME` |
/// | `{"class", "object": …}` | an object as a client would create it |
/// | `{"config": {"params", "hidden"}}` | the parameters that clients read |
/// | `{"hook": …}` | a webhook, as `/hooks` shows it |
///
/// An object has its `objectId`, its times and its access list; what a relation leads to stands there as `AddRelation`,
/// and beside a user's, `user` has how he signs in.
///
/// Sessions stay out: whoever has this folder is signed in as nobody.
struct AppExport {
  static let format = 1
  static let lines = "app.ndjson"
  static let files = "files"

  /// The number of objects that were written.
  private(set) var objects = 0
  private let cache = ClassCache()

  /// - Throws: if the folder has something in it already.
  mutating func write(_ id: Int, of hub: Hub, to folder: String) async throws {
    try Self.make(folder)
    let (path, filesPath) = ("\(folder)/\(Self.lines)", "\(folder)/\(Self.files)")
    // Files come first, then those that have come meanwhile: whatever is removed while they are copied, even the app,
    // the lines name no file that is not there.
    var copied: [String: Bool] = [:]
    while true {
      let outcome = try await lines(id, of: hub, to: path, copied)
      if copied.isEmpty { try Self.make(filesPath) }
      switch outcome {
      case .lacking(let files):
        for file in files { copied[file.name] = try await Self.copy(file, of: hub, to: filesPath) }
      case .written(let count): return objects = count
      }
    }
  }

  private enum Outcome {
    /// The files have to be copied before.
    case lacking([KeptFile])
    case written(objects: Int)
  }

  /// Writes the lines, if all files are copied.
  /// - Parameter copied: false for a file whose bytes were not there.
  private func lines(_ id: Int, of hub: Hub, to path: String, _ copied: [String: Bool]) async throws -> Outcome {
    let (now, cache) = (hub.time.now, cache)
    // One transaction: what is written is all of one moment.
    return try await hub.store.read { database throws(StoreError) -> Result<Outcome, CommandError> in
      guard let app = try database.app(id, now: now) else {
        return .failure(CommandError("There is no app \(id); eightbells app list shows them."))
      }
      let files = try database.files(of: id)
      let lacking = files.filter { copied[$0.name] == nil }
      if !lacking.isEmpty { return .success(.lacking(lacking)) }
      // A slow disk takes its time between two queries.
      return try database.inLongReading { () throws(StoreError) -> Result<Outcome, CommandError> in
        do {
          let kept = files.filter { copied[$0.name] == true }
          return .success(.written(objects: try Self.write(app, kept, database, cache, try LineWriter(path))))
        } catch let error as StoreError {
          throw error
        } catch {
          return .failure(error as? CommandError ?? CommandError("\(error)"))
        }
      }
    }.get()
  }

  /// - Returns: false if its bytes are not there.
  private static func copy(_ file: KeptFile, of hub: Hub, to folder: String) async throws -> Bool {
    guard let content = try await hub.store.blobs.content(of: file.blob) else { return false }
    let writer = try LineWriter("\(folder)/\(file.name)")
    var start = 0
    while start < content.size {
      let piece = content.piece(from: start)
      guard !piece.isEmpty else { throw CommandError.file("read", "a file of the hub") }
      try writer.write(piece)
      start += piece.count
    }
    try writer.finish()
    return true
  }

  private static func write(
    _ app: App, _ files: [KeptFile], _ database: Database, _ cache: ClassCache, _ file: LineWriter
  ) throws -> Int {
    try file.write(["app": ["format": .int(format), "name": .string(app.name), "options": app.options.json]])
    let classes = try database.storedClasses(of: app.id, cache).filter { $0.schema.name != "_Session" }
    for stored in classes { try file.write(["schema": stored.schema.json]) }
    for kept in files {
      try file.write(["file": ["name": .string(kept.name), "type": .string(kept.type), "size": .int(kept.size)]])
    }
    var count = 0
    for stored in classes {
      try database.eachObject(of: stored) { row in
        let (object, longRelations) = try database.exported(row, of: stored)
        var line = [JSON.Member("class", .string(stored.schema.name)), JSON.Member("object", object)]
        if stored.schema.name == "_User", let user = try database.user(.id(row.object.id), of: app.id) {
          line.append(.init("user", user.exported))
        }
        try file.write(.object(line))
        for (field, last) in longRelations {
          var last = last
          while true {
            let ids = try database.related(to: row.number, by: field, after: last, limit: TransferLimits.relatedOnALine)
            guard let end = ids.last else { break }
            let targets = ids.map { JSON.string($0) }
            let relation: JSON = [
              "object": .string(row.object.id), "field": .string(field), "targets": .array(targets),
            ]
            try file.write(["class": .string(stored.schema.name), "relation": relation])
            last = end
          }
        }
        count += 1
      }
    }
    let config = try database.config(of: app.id)
    if !config.parameters.isEmpty {
      let hidden = config.hidden.sorted().map { JSON.string($0) }
      try file.write(["config": ["params": .object(config.parameters), "hidden": .array(hidden)]])
    }
    for (owner, hook) in try database.hooks() where owner == app.id { try file.write(["hook": hook.json]) }
    try file.finish()
    return count
  }

  private static func make(_ folder: String) throws(CommandError) {
    if mkdir(folder, 0o700) != 0 {
      guard errno == EEXIST else { throw .file("make the folder", folder) }
      guard rmdir(folder) == 0, mkdir(folder, 0o700) == 0 else {
        throw CommandError("\(folder) is there already, and not empty; a new folder is accepted.")
      }
    }
    DataFolder.giveToCaller(folder)
  }
}

extension Database {
  /// An object as a client would create it, with what its relations lead to.
  /// - Returns: also the relations of which more may stand on lines of its own, with the last id that is in the object.
  fileprivate func exported(
    _ row: ObjectRow, of stored: StoredClass
  ) throws(StoreError) -> (JSON, longRelations: [(field: String, last: String)]) {
    guard var members = row.object.json().members else { return (.null, []) }
    var long: [(field: String, last: String)] = []
    // All relations of the object share its line.
    var left = TransferLimits.relatedOnALine
    for (name, field) in stored.schema.fields.sorted(by: { $0.key < $1.key }) {
      guard case .relation(let target) = field.type else { continue }
      // Before 1.1.2 an object kept the value as which a relation is shown, where a client sent it back.
      members.removeAll { $0.name == name }
      let ids = left > 0 ? try related(to: row.number, by: name, after: "", limit: left) : []
      let pointers = ids.map { StoredObject.pointer(to: $0, of: target) }
      if !pointers.isEmpty { members.append(.init(name, ["__op": "AddRelation", "objects": .array(pointers)])) }
      left -= ids.count
      if left == 0 { long.append((name, ids.last ?? "")) }
    }
    return (.object(members), long)
  }
}

extension UserRow {
  /// The user's ways to sign in, his password as its hash.
  fileprivate var exported: JSON {
    [
      "name": .string(name), "email": JSON(email), "anonymous": JSON(anonymous), "password": JSON(password?.text),
    ]
  }
}
