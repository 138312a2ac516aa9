import EventLoop
import Hub
import Lifecycle
import Store
import Wire

/// Looks every minute for what happens by itself: albums close, new pictures ring, what was removed goes for good.
final class AlbumWatch: Sendable {
  private let services: AlbumServices
  private let poller: Poller
  private var hub: Hub { services.hub }

  init(_ services: AlbumServices) {
    self.services = services
    poller = Poller(services.hub.loop)
  }

  /// A command beside the hub may have changed something.
  func wake() { poller.wake() }

  func run() async throws {
    try await poller.run { [self] in
      try await hub.commit(as: .room(AlbumsRoom.id)) { [hub] change in
        try AlbumChange.closeWhatEnds(hub, in: change)
        try AlbumChange.ringNewPictures(in: change)
        for (id, name) in try change.database.unrungAsked(now: change.now) {
          if let album = try change.database.album(id) { try AlbumChange.ringAsked(name, album, in: change) }
        }
      }
      while try await forgetSome(), !Task.isCancelled {}
      services.derivatives.wake()
      let end = try await hub.store.read { database throws(StoreError) in try database.nextEnd() }
      return min(AlbumLimits.gatherSeconds, max(0.1, (end ?? .infinity) - hub.time.now))
    }
  }

  /// Deletes some of what was removed long ago, and of deleted albums, which nothing brings back.
  /// - Returns: true if there may be more.
  private func forgetSome() async throws -> Bool {
    try await hub.commit(as: .room(AlbumsRoom.id)) { [copies = services.copies] change in
      let (database, now) = (change.database, change.now)
      let pictures = try database.picturesToForget(
        removedBefore: now - AlbumLimits.keptDays * 86_400, limit: AlbumLimits.removedAtOnce)
      for picture in pictures { try AlbumChange.delete(picture, in: change) }
      guard pictures.isEmpty else {
        change.then { copies.wake(anew: true) }
        return true
      }
      try database.forgetDeletedAlbums()
      try database.forgetGuests(endedBefore: now - AlbumLimits.keptDays * 86_400)
      return false
    }
  }
}

extension AlbumChange {
  /// Closes the albums whose end has come.
  fileprivate static func closeWhatEnds(_ hub: Hub, in change: Change) throws {
    for id in try change.database.albumsToClose(now: change.now) {
      guard var album = try change.database.album(id) else { continue }
      album.closedAt = album.options.closesAt
      try change.database.save(album)
      change.publish("album", on: album.channel, [:])
      try tellEvent(of: album, hub, in: change)
    }
  }

  /// Rings the new pictures of albums that have not rung for a while, once for all of them: to every member who is in,
  /// about those of others.
  fileprivate static func ringNewPictures(in change: Change) throws {
    let database = change.database
    let unrung = try database.unrungPictures(now: change.now)
    for (id, senders) in Dictionary(grouping: unrung, by: \.album).sorted(by: { $0.key < $1.key }) {
      guard let album = try database.album(id) else { continue }
      try database.noteRung(id, now: change.now)
      for member in try database.albumMembers(of: id) where member.isHost || !album.options.uploadOnly {
        let others = senders.filter { $0.guest != member.guest }
        guard !others.isEmpty else { continue }
        let names = try others.map { try database.guest($0.guest)?.name }
        let bell = AlbumBell.pictures(
          others.reduce(0) { $0 + $1.count }, from: names, in: album, to: [member.person])
        try change.ring("albums.pictures", bell.json)
      }
    }
  }
}
