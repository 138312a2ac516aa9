import Hub
import Server
import Settings

/// The people who make albums, by the owner's choice.
struct AlbumMakers: Sendable {
  static let option = Setting(
    "albums_makers", "WHO", fallback: "members", help: "who makes albums: members or owners"
  ) { value throws(SettingsError) in
    guard ["members", "owners"].contains(value) else {
      throw SettingsError("albums_makers: \"\(value)\"; members or owners are accepted.")
    }
  }

  private let needed: Right

  init(_ hub: Hub) { needed = hub.options["albums_makers"] == "owners" ? .manageAlbums : .makeAlbums }

  func mayMake(_ principal: Principal) -> Bool { principal.may(needed) }

  /// The same for a person by their role.
  func mayMake(_ role: Role) -> Bool { needed.roles.contains(role) }

  /// - Throws: 403 for somebody who may not.
  func demand(_ principal: Principal) throws(HTTPError) {
    try principal.demand(.makeAlbums)
    guard mayMake(principal) else {
      throw HTTPError(
        .makersOnly, "Only owners make albums on this hub.",
        help: "Ask one of them for an album; they can make you its host. albums_makers says who may.")
    }
  }
}
