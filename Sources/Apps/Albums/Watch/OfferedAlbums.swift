import Hub
import Server
import Store
import Wire

/// Albums of planned events, as offered to the room of the events. An album takes pictures from the moment when its
/// code is there, so that whoever scans it early is in, until a day after the event.
struct OfferedAlbums: EventAlbums {
  let hub: Hub
  let services: AlbumServices
  private let makers: AlbumMakers

  init(_ services: AlbumServices) {
    (hub, self.services) = (services.hub, services)
    makers = AlbumMakers(services.hub)
  }

  func mayMake(_ principal: Principal) -> Bool { principal.person != nil && makers.mayMake(principal) }

  func demandMaker(_ principal: Principal) throws(HTTPError) { try makers.demand(principal) }

  func album(
    of event: String, series: String?, for person: Int?, now: Double, in database: Database
  ) throws(StoreError) -> EventAlbum? {
    guard let id = try database.eventLink(of: event)?.album, let album = try database.album(id) else { return nil }
    let guest = try person.flatMap { person throws(StoreError) in try database.guest(person: person, of: id) }
    return EventAlbum(
      name: album.name, path: "/album#\(album.secret)", wallPath: "/album/wall#\(album.secret)",
      cardPath: "/album/card#\(album.secret)", hostPath: guest?.isHost == true ? "/album/host#\(album.secret)" : nil,
      isOpen: album.options.mode == .open, isClosed: album.isClosed(at: now), closesAt: album.options.closesAt,
      isForEveryTime: try series.map { series throws(StoreError) in try database.eventSeries(series) != nil } ?? false)
  }

  // MARK: By people

  func make(for event: PlannedEvent, isOpen: Bool, everyTime: Bool, in change: Change) throws {
    let database = change.database
    guard let person = change.principal.person else { throw HTTPError.hostsOnly }
    if let id = try database.eventLink(of: event.id)?.album, let album = try database.album(id) {
      guard try database.guest(person: person, of: id)?.isHost == true else {
        throw HTTPError(
          .eventHasAlbum, "The event has an album already.", help: "Its hosts can make you one of them.")
      }
      try set(everyTime, event, album.options.mode, person, in: change)
      return
    }
    let mode: Album.Mode = isOpen ? .open : .family
    try hub.show(AlbumsRoom.id, in: change)
    try add(event, mode, for: (person, change.principal.name), in: change)
    try set(everyTime, event, mode, person, in: change)
  }

  private func set(
    _ everyTime: Bool, _ event: PlannedEvent, _ mode: Album.Mode, _ person: Int, in change: Change
  ) throws {
    guard let series = event.series else { return }
    if everyTime {
      try change.database.save(EventSeries(series: series, person: person, mode: mode))
    } else {
      try change.database.remove(eventSeries: series)
    }
  }

  private func add(
    _ event: PlannedEvent, _ mode: Album.Mode, for host: (person: Int, name: String), in change: Change
  ) throws {
    var link = EventLink.of(event, album: nil, zone: hub.place.zone)
    let options = AlbumOptions(mode: mode, closesAt: EventLink.end(of: event.end))
    let made = try AlbumChange.make(link.name, options, for: host, isOfEvent: true, in: change)
    link.album = made.album.id
    try change.database.save(link)
  }

  func release(_ event: PlannedEvent, in change: Change) throws {
    let database = change.database
    guard var link = try database.eventLink(of: event.id), let id = link.album, let album = try database.album(id)
    else { throw HTTPError.noSuchAlbum }
    let isHost = try change.principal.person.map { try database.guest(person: $0, of: id)?.isHost == true } ?? false
    guard isHost || change.principal.may(.manageAlbums) else { throw HTTPError.hostsOnly }
    link.album = nil
    try database.save(link)
    if let series = event.series { try database.remove(eventSeries: series) }
    try change.audit("albums.released", about: album.name)
  }

  // MARK: By the programme

  func followed(now: Double, in database: Database) throws(StoreError) -> [String] {
    try database.linkedEvents(endingAfter: now - EventLink.lateSeconds, limit: AlbumLimits.eventsFollowed)
  }

  func follow(_ known: [String: PlannedEvent?], coming: [PlannedEvent], in change: Change) throws -> [String] {
    var changed: [String] = []
    for (id, event) in known.sorted(by: { $0.key < $1.key }) where try follow(id, event, in: change) {
      changed.append(event?.id ?? id)
    }
    let wishes = Dictionary(
      try change.database.eventSeries().map { ($0.series, $0) }, uniquingKeysWith: { first, _ in first })
    for event in coming.sorted(by: { ($0.start, $0.id) < ($1.start, $1.id) }) {
      guard let wish = event.series.flatMap({ wishes[$0] }), try open(event, wish, in: change) else { continue }
      changed.append(event.id)
    }
    try change.database.forgetLinks(endedBefore: change.now - AlbumLimits.keptDays * 86_400)
    return changed
  }

  /// - Returns: true if the album has changed, or another event has it.
  private func follow(_ id: String, _ event: PlannedEvent?, in change: Change) throws -> Bool {
    let database = change.database
    guard var link = try database.eventLink(of: id), let key = link.album, var album = try database.album(key) else {
      return false
    }
    let before = (link, album)
    if let event, try event.id == id || database.eventLink(of: event.id) == nil {
      link.follow(event, &album, zone: hub.place.zone, now: change.now)
    } else {
      link.fallOut(&album, now: change.now)
    }
    guard (link, album) != before else { return false }
    if link.event != id { try database.removeLink(of: id) }
    try database.save(link)
    if album != before.1 {
      try database.save(album)
      change.publish("album", on: album.channel, [:])
      services.callersChange(losing: false, in: change)
    }
    return true
  }

  /// Makes the album of one time of a recurring event.
  /// - Returns: false if it has or had one, and where there are too many albums.
  private func open(_ event: PlannedEvent, _ wish: EventSeries, in change: Change) throws -> Bool {
    let database = change.database
    guard try database.eventLink(of: event.id) == nil, let name = try database.personName(wish.person),
      let role = try database.personRole(wish.person), makers.mayMake(role)
    else { return false }
    do {
      try add(event, wish.mode, for: (wish.person, name), in: change)
    } catch let error as HTTPError where error.code == .tooManyAlbums {
      return false
    }
    return true
  }
}
