import Hub
import Wire

/// The bells of albums, with their words. They go to the members of the hub who are in the album, and not to a topic:
/// only whoever is in learns its name, and owners that of an album without a host. They lead to the album by its id,
/// since a secret has no place in notifications.
enum AlbumBell {
  /// Seconds for which such news is worth knowing.
  private static let lifetime = 2 * 86_400.0

  /// Somebody waits for a host's yes.
  static func asked(_ count: Int, name: String?, _ album: Album, to persons: [Int]) -> Bell {
    let title =
      count > 1
      ? Bell.Words("\(count) want to join “\(album.name)”", german: "\(count) möchten ins Album „\(album.name)“")
      : Bell.Words(
        "\(name ?? "Somebody") wants to join “\(album.name)”",
        german: "\(name ?? "Jemand") möchte ins Album „\(album.name)“")
    return bell(
      title, Bell.Words("Let them in, or not.", german: "Hereinlassen oder nicht?"), album, to: persons,
      collapseID: askedID(album), level: .active, path: "/albums")
  }

  static func askedID(_ album: Album) -> String { "albums.asked.\(album.id)" }

  /// New pictures of some minutes.
  /// - Parameter names: of those who have sent them, the most first; nil for somebody without a name.
  static func pictures(_ count: Int, from names: [String?], in album: Album, to persons: [Int]) -> Bell {
    let what =
      count == 1
      ? Bell.Words("A new picture", german: "Ein neues Bild")
      : Bell.Words("\(count) new pictures", german: "\(count) neue Bilder")
    let place = Bell.Words("in “\(album.name)”", german: "in „\(album.name)“")
    let from = senders(names)
    let title = from ?? place
    return bell(
      Bell.Words("\(what.english) \(title.english)", german: "\(what.german) \(title.german)"),
      from.map { _ in Bell.Words("In “\(album.name)”", german: "In „\(album.name)“") }, album, to: persons,
      collapseID: "albums.pictures.\(album.id)", level: .passive)
  }

  /// "from Ada, Ben and 3 others"; nil if nobody has a name.
  private static func senders(_ names: [String?]) -> Bell.Words? {
    let known = names.compactMap { $0 }.prefix(2)
    guard let first = known.first else { return nil }
    let others = names.count - known.count
    switch (known.count, others) {
    case (1, 0): return Bell.Words("from \(first)", german: "von \(first)")
    case (1, 1): return Bell.Words("from \(first) and somebody else", german: "von \(first) und noch jemandem")
    case (1, _): return Bell.Words("from \(first) and \(others) others", german: "von \(first) und \(others) anderen")
    case (_, 0): return Bell.Words("from \(first) and \(known[1])", german: "von \(first) und \(known[1])")
    case (_, 1):
      return Bell.Words(
        "from \(first), \(known[1]) and somebody else", german: "von \(first), \(known[1]) und noch jemandem")
    default:
      return Bell.Words(
        "from \(first), \(known[1]) and \(others) others", german: "von \(first), \(known[1]) und \(others) anderen")
    }
  }

  /// A host has shown a picture that had waited.
  static func shown(_ album: Album, to person: Int) -> Bell {
    bell(
      Bell.Words("Your picture is on the wall", german: "Dein Bild ist an der Wand"),
      Bell.Words("Everybody in “\(album.name)” sees it now.", german: "Alle in „\(album.name)“ sehen es jetzt."),
      album, to: [person], collapseID: "albums.shown.\(album.id)", level: .passive)
  }

  /// The last host of an album has gone from the hub, and a member is the next one.
  static func hosted(_ album: Album, to person: Int) -> Bell {
    bell(
      Bell.Words("You are the host of “\(album.name)” now", german: "Du bist jetzt Gastgeber von „\(album.name)“"),
      Bell.Words("Its last host has left the hub.", german: "Wer es bisher war, ist nicht mehr dabei."), album,
      to: [person], collapseID: "albums.hosted.\(album.id)", level: .active, path: "/albums")
  }

  /// The same where no member is in, to the owners.
  static func unhosted(_ album: Album, to owners: [Int]) -> Bell {
    bell(
      Bell.Words("“\(album.name)” has no host any more", german: "„\(album.name)“ hat keinen Gastgeber mehr"),
      Bell.Words(
        "On the hub's machine: eightbells album host \(album.address)",
        german: "Auf dem Rechner des Servers: eightbells album host \(album.address)"), album, to: owners,
      collapseID: "albums.hosted.\(album.id)", level: .active, path: "/albums")
  }

  private static func bell(
    _ title: Bell.Words, _ body: Bell.Words?, _ album: Album, to persons: [Int], collapseID: String,
    level: Bell.Level, path: String? = nil
  ) -> Bell {
    Bell(
      to: .array(persons.map { ["person": JSON(id: $0)] }), title: title, body: body, category: "albums",
      thread: AlbumsRoom.id, collapseID: collapseID, level: level, isUrgent: level == .active, lifetime: lifetime,
      path: path ?? "/album#id=\(album.address)")
  }
}
