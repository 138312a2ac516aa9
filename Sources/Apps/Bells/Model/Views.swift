import Hub
import Server
import Store
import Wire

/// The views of notifications: those that rooms bring, and those of apps, which owners register. A category has one at
/// most. If a newer program brings one for a category that has an app's, the app's stays.
struct Views: Sendable {
  let hub: Hub

  /// The views of the rooms that are on, with the rooms' names.
  private var ofRooms: [(room: RoomPlan, view: BellView)] {
    hub.rooms.map { type(of: $0).plan }.flatMap { plan in plan.views.map { (plan, $0) } }
  }

  /// The name of the view of each category that has one.
  func byCategory(_ database: Database) throws(StoreError) -> [String: String] {
    var names: [String: String] = [:]
    for (_, view) in ofRooms { for category in view.categories { names[category] = view.name } }
    return names.merging(try database.viewsByCategory()) { _, own in own }
  }

  /// The document of a view; nil if there is none of this name.
  func document(_ name: String, _ database: Database) throws(StoreError) -> [UInt8]? {
    if let own = try database.viewDocument(name) { return own }
    return ofRooms.first { $0.view.name == name }.flatMap { WebShell.bytes(ofFile: $0.view.file) }
  }

  func list(_ database: Database) throws(StoreError) -> JSON {
    let apps = try database.views().map { Self.json($0.name, $0.categories, room: nil, size: $0.size) }
    let rooms = ofRooms.map { room, view in
      Self.json(view.name, view.categories, room: room.id, size: WebShell.bytes(ofFile: view.file)?.count ?? 0)
    }
    return .array(apps + rooms)
  }

  /// Registers a view, or puts another one in the place of that with its name.
  /// - Throws: 409 if one of its categories has a view already, or if there cannot be more.
  func keep(_ wish: ViewWish, in change: Change) throws -> JSON {
    let database = change.database
    if let (room, _) = ofRooms.first(where: { $0.view.name == wish.name }) {
      throw HTTPError(
        .viewTaken, "The view \(wish.name) is the room \(room.name)'s.", help: "Another name is accepted.")
    }
    var taken: [String] = []
    let names = try byCategory(database)
    for category in wish.categories {
      if let other = names[category], other != wish.name { taken.append("\"\(category)\" has the view \(other)") }
    }
    guard taken.isEmpty else {
      throw HTTPError(
        .viewTaken, "A category has one view: \(taken.joined(separator: ", ")).",
        help: "Nothing was changed. Remove that view first, or choose other categories.")
    }
    let known = try database.views()
    guard known.count < BellsLimits.views || known.contains(where: { $0.name == wish.name }) else {
      throw HTTPError.tooManyHooks(BellsLimits.views)
    }
    try database.save(view: wish.name, of: wish.categories, document: Array(wish.html.utf8), now: change.now)
    try change.audit("bell.view-made", about: wish.name)
    return Self.json(wish.name, wish.categories, room: nil, size: wish.html.utf8.count)
  }

  private static func json(_ name: String, _ categories: [String], room: String?, size: Int) -> JSON {
    [
      "name": .string(name), "categories": .array(categories.map(JSON.string)), "room": JSON(room), "size": .int(size),
    ]
  }

  func remove(_ name: String, in change: Change) throws {
    guard try change.database.removeView(name) else {
      if let (room, _) = ofRooms.first(where: { $0.view.name == name }) {
        throw HTTPError(
          .viewTaken, "The view \(name) is the room \(room.name)'s.", help: "It goes when the room is switched off.")
      }
      throw HTTPError.noSuchView(name)
    }
    try change.audit("bell.view-removed", about: name)
  }
}

extension HTTPError {
  static func noSuchView(_ name: String) -> HTTPError {
    HTTPError(
      .noSuchView, "There is no view \"\(name.prefix(100))\".", help: "GET /api/v1/bells/views lists those there are.")
  }
}
