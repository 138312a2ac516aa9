import Objects
import Synchronization
import Wire

/// An object as it was read, with its class.
struct ReadObject: Sendable {
  let object: StoredObject
  let stored: StoredClass
  /// Bytes of its fields as they are kept.
  let bytes: Int

  /// - Throws: 119 if the caller may not read objects of the class, 101 if they may not read this one.
  func check(_ caller: Objects.Caller) throws(ObjectError) {
    let fields = try stored.schema.permissions.check(.get, by: caller, on: object.className)
    guard object.mayBeRead(by: caller), object.points(anyOf: fields, to: caller) else { throw .notFound }
  }

  /// The object as the caller may see it, without what is hidden from them.
  func shown(to caller: Objects.Caller) throws(ObjectError) -> JSON {
    try check(caller)
    return stored.schema.json(of: object, for: caller)
  }
}

/// Small objects that were read a short while ago, so that one that is asked for again and again needs no store. Each
/// commit to an app's objects or classes forgets all of the app's, before whoever made it is told; each caller's rights
/// are looked at anew.
final class RecentObjects: Sendable {
  /// Another one after each change of the app's objects.
  struct Age: Equatable, Sendable {
    fileprivate var changes = 0
    /// The same for all apps, by commands beside the hub.
    fileprivate var all = 0
  }

  private struct Name: Hashable {
    let className, id: String
  }
  private struct OfApp {
    var changes = 0
    var objects: [Name: ReadObject] = [:]
  }
  private struct State {
    var all = 0
    var count = 0
    var apps: [Int: OfApp] = [:]

    func age(_ app: Int) -> Age { Age(changes: apps[app]?.changes ?? 0, all: all) }

    mutating func forgetObjects() {
      for app in apps.keys { apps[app]?.objects = [:] }
      count = 0
    }
  }
  private let state = Mutex(State())

  /// The object, if it is known; and the age to hand to `keep` with what is read now.
  func get(_ app: Int, _ className: String, _ id: String) -> (object: ReadObject?, age: Age) {
    state.withLock { ($0.apps[app]?.objects[Name(className: className, id: id)], $0.age(app)) }
  }

  /// Takes an object that was read.
  /// - Parameter age: from before it was read; it is not kept if something has changed since.
  func keep(_ read: ReadObject, of app: Int, _ age: Age) {
    guard read.bytes <= AppsLimits.recentBytes else { return }
    let name = Name(className: read.object.className, id: read.object.id)
    state.withLock { state in
      guard state.age(app) == age else { return }
      if state.count >= AppsLimits.recentObjects { state.forgetObjects() }
      if state.apps[app, default: OfApp()].objects.updateValue(read, forKey: name) == nil { state.count += 1 }
    }
  }

  /// The app's objects or classes have changed. Its number of changes stays in memory, some bytes for each app.
  func forget(_ app: Int) {
    state.withLock { state in
      state.count -= state.apps[app]?.objects.count ?? 0
      state.apps[app] = OfApp(changes: (state.apps[app]?.changes ?? 0) + 1)
    }
  }

  /// A command beside the hub may have changed some of any app.
  func forgetAll() {
    state.withLock { state in
      state.forgetObjects()
      state.all += 1
    }
  }
}
