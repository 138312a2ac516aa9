import Hub
import Lifecycle
import Objects
import Server
import Store
import Wire

/// Asks the webhooks of classes before objects are saved and deleted: beside the commit, which must not wait for
/// another server. What an object was meanwhile made into by somebody else stays, but for the fields that are set.
/// They are asked only of what its caller may do: the commit refuses all else, and must not have set an app's server
/// to work before.
struct Triggers: Sendable {
  let objects: AppObjects
  var hooks: Hooks { objects.hooks }
  var calls: HookCalls { objects.calls }

  /// - Parameters:
  ///   - id: that of the object which is changed; nil for a new one.
  ///   - request: the client's; where it is a batch, the whole of it.
  /// - Returns: the edit, with what the webhook has set.
  /// - Throws: what the webhook refuses, and 159 for a request that was done before.
  func beforeSave(
    _ className: String, _ id: String?, _ edit: ObjectEdit, of request: ParseRequest
  ) async throws(HTTPError) -> ObjectEdit {
    let (app, caller) = (request.app, request.caller)
    guard let hook = hooks.hook(.trigger(.beforeSave, className: className), of: app.id) else { return edit }
    try await checkNew(request)
    var before: StoredObject?
    if let id {
      before = try await original(className, id, for: .update, app, caller)
      // Whoever may not change it is refused by the commit.
      if before == nil { return edit }
    } else if try await !mayCreate(className, app, caller) {
      return edit
    }
    let user = try await user(of: caller, app)
    let now = Int(objects.hub.time.now * 1_000)
    var object = before ?? StoredObject(className: className, id: "", createdAt: now, updatedAt: now)
    try ObjectError.told { () throws(ObjectError) in _ = try edit.apply(to: &object) }
    let answer = try await calls.call(hook, of: app, HookCalls.question(before: before, after: object, caller, user))
    return try ObjectError.told { () throws(ObjectError) in try Self.edit(edit, answer, of: object) }
  }

  func beforeDelete(_ className: String, _ id: String, of request: ParseRequest) async throws(HTTPError) {
    let (app, caller) = (request.app, request.caller)
    guard let hook = hooks.hook(.trigger(.beforeDelete, className: className), of: app.id) else { return }
    try await checkNew(request)
    guard let object = try await original(className, id, for: .delete, app, caller) else { return }
    let user = try await user(of: caller, app)
    _ = try await calls.call(hook, of: app, HookCalls.question(before: object, after: nil, caller, user))
  }

  /// The edit with the fields of a webhook's answer that differ from what the object would have. A file is the same at
  /// each of the hub's addresses. An answer with the class' name is the object: what it lacks was taken out.
  private static func edit(
    _ edit: ObjectEdit, _ answer: JSON, of object: StoredObject
  ) throws(ObjectError) -> ObjectEdit {
    var edit = edit
    if answer["className"] != nil {
      let names = edit.operations.map { $0.path[0] }
      for name in names where answer[name] == nil && object[name] != nil && !hubs.contains(name) { edit.remove(name) }
    }
    for field in answer.members ?? []
    where !hubs.contains(field.name) && QueryValue(object[field.name]) != QueryValue(field.value) {
      try edit.set(field.name, toOthers: field.value)
    }
    return edit
  }

  /// The fields that only the hub sets.
  private static let hubs: Set = [
    "objectId", "createdAt", "updatedAt", "className", "__type", "sessionToken", "password",
  ]

  // MARK: Looking

  /// The id is only looked up here, and taken by the commit: a request that the webhook refuses may come again.
  private func checkNew(_ request: ParseRequest) async throws(HTTPError) {
    guard let id = request.requestID else { return }
    let (app, now) = (request.app.id, objects.hub.time.now)
    let isTaken = try await objects.hub.read { database throws(StoreError) in
      try database.isTaken(request: id, of: app, now: now)
    }
    if isTaken { throw ObjectError.repeated.http }
  }

  /// An object to which the caller may do something, as far as that cannot change before the commit; nil if there is
  /// none. Fields that point to whoever may can: a request before it in the same batch may set them.
  private func original(
    _ className: String, _ id: String, for action: ClassPermissions.Action, _ app: App, _ caller: Objects.Caller
  ) async throws(HTTPError) -> StoredObject? {
    guard caller.mayWrite(className, id) else { return nil }
    return try await objects.hub.read { [cache = objects.cache] database throws(StoreError) in
      guard let stored = try database.storedClass(className, of: app.id, cache),
        let object = try database.object(id, of: stored)?.object, object.mayBeWritten(by: caller),
        stored.schema.permissions.mayLet(caller, action, on: className)
      else { return nil }
      return object
    }
  }

  /// True if the caller may make an object of a class, and the class too where there is none yet.
  private func mayCreate(_ className: String, _ app: App, _ caller: Objects.Caller) async throws(HTTPError) -> Bool {
    let stored = try await objects.hub.read { [cache = objects.cache] database throws(StoreError) in
      try database.storedClass(className, of: app.id, cache)
    }
    guard stored != nil || app.lets(caller, makeClass: className) else { return false }
    let schema = stored?.schema ?? ClassSchema.new(className)
    return schema.permissions.mayLet(caller, .create, on: className)
  }

  /// The user who asks, with the session's token, so that the app's server can go on as that user.
  func user(of caller: Objects.Caller, _ app: App) async throws(HTTPError) -> JSON? {
    guard let found = try await user(caller.user, app) else { return nil }
    return caller.session.map { found.with(["sessionToken": .string($0)]) } ?? found
  }

  /// The user without a token: what is told later waits on the disk.
  func user(_ id: String?, _ app: App) async throws(HTTPError) -> JSON? {
    guard let id else { return nil }
    return try await objects.hub.read { [cache = objects.cache] database throws(StoreError) in
      guard let users = try database.storedClass("_User", of: app.id, cache) else { return nil }
      return try database.object(id, of: users)?.object.shown
    }
  }
}

extension App {
  /// True if the first object that a caller makes of a class makes the class, and one with a new field the field.
  func lets(_ caller: Objects.Caller, makeClass name: String) -> Bool {
    caller.isMaster || options.clientClasses || ClassSchema.systemClasses.contains(name)
  }
}

extension ClassPermissions {
  /// False if a caller may do something to no object of a class.
  fileprivate func mayLet(_ caller: Objects.Caller, _ action: Action, on className: String) -> Bool {
    do throws(ObjectError) {
      _ = try check(action, by: caller, on: className)
      return true
    } catch {
      return false
    }
  }
}

extension HookCalls {
  /// The message to a trigger's webhook.
  static func question(
    before: StoredObject?, after: StoredObject?, _ caller: Objects.Caller, _ user: JSON?
  ) -> [JSON.Member] {
    var members = asking(caller, user)
    if let object = after ?? before { members.append(.init("object", object.shown)) }
    if let before, after != nil { members.append(.init("original", before.shown)) }
    return members
  }

  /// The members about the caller.
  static func asking(_ caller: Objects.Caller, _ user: JSON?) -> [JSON.Member] {
    var members: [JSON.Member] = [.init("master", .bool(caller.isMaster))]
    if let user { members.append(.init("user", user)) }
    if let installation = caller.installation { members.append(.init("installationId", .string(installation))) }
    return members
  }
}

extension StoredObject {
  /// The object for an app's own server: without a password, and without what a new object does not have yet.
  fileprivate var shown: JSON {
    let without: Set = id.isEmpty ? ["password", "objectId", "createdAt", "updatedAt"] : ["password"]
    return .object((json(isNested: true).members ?? []).filter { !without.contains($0.name) })
  }
}
