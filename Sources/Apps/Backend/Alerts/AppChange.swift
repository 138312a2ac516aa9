import Hub
import Server
import Store
import Wire

/// Changes of apps: each is one commit with its rows, its audit and the news for the owners' pages.
enum AppChange {
  /// - Throws: 409 if there are too many.
  static func make(_ name: String, in change: Change) throws -> (App, MadeSecrets) {
    let database = change.database
    guard try database.appCount() < AppsLimits.apps else {
      throw HTTPError(
        .tooManyApps, "There are \(AppsLimits.apps) apps; there is no room for more.", help: "Remove one first.")
    }
    var app = try App(name: name, at: change.now) { try database.app($0, now: change.now) != nil }
    let made = MadeSecrets()
    app.secrets = [AppSecret(text: made.secret, masterDigest: made.masterDigest)]
    try database.add(app)
    try database.save(made, of: app.id, now: change.now, until: change.now)
    try change.audit("apps.made", about: name)
    tell(app.id, in: change)
    return (app, made)
  }

  /// Makes another secret and another master key.
  /// - Parameter endsOld: true to end the old ones at once; otherwise they count for a day.
  static func rotate(_ id: Int, endsOld: Bool, in change: Change) throws -> (App, MadeSecrets) {
    let before = try app(id, in: change)
    guard endsOld || before.secrets.count < AppsLimits.secrets else {
      throw HTTPError(
        .tooManySecrets, "\(before.name) has \(before.secrets.count) secrets that count; \(AppsLimits.secrets) may.",
        help: "Old ones end a day after they were replaced. To end them all at once: \"now\": true, or --now.")
    }
    let made = MadeSecrets()
    let until = endsOld ? change.now : change.now + AppsLimits.oldSecretSeconds
    try change.database.save(made, of: id, now: change.now, until: until)
    try change.audit(endsOld ? "apps.rotated-now" : "apps.rotated", about: before.name)
    tell(id, in: change)
    return (try app(id, in: change), made)
  }

  static func save(_ app: App, in change: Change) throws {
    try change.database.save(app)
    try change.audit("apps.changed", about: app.name)
    tell(app.id, in: change)
  }

  /// Removes an app with everything that is of it. What is left of a large one, `Leftovers` removes piece by piece.
  /// - Returns: its name.
  static func remove(_ id: Int, in change: Change) throws -> String {
    let app = try app(id, in: change)
    let database = change.database
    if try database.removeSome(ofApp: id, ClassCache()) { try database.hide(app: id, now: change.now) }
    try change.audit("apps.removed", about: app.name)
    tell(id, in: change)
    return app.name
  }

  /// - Throws: 404 if there is none.
  static func app(_ id: Int, in change: Change) throws -> App {
    guard let app = try change.database.app(id, now: change.now) else { throw HTTPError.noSuchApp("\(id)") }
    return app
  }

  private static func tell(_ id: Int, in change: Change) {
    change.database.touch(.apps, id)
    change.publish("apps", on: BackendRoom.channel, [:])
  }
}

extension HTTPError {
  static func noSuchApp(_ id: String) -> HTTPError {
    HTTPError(.noSuchApp, "There is no app \(id.prefix(40)).", help: "GET /api/v1/apps lists those there are.")
  }
}
