import Hub
import Realtime
import Server
import Store

/// Everything that the room's routes need.
struct AlbumServices: Sendable {
  let hub: Hub
  let access: AlbumAccess
  let quota: AlbumQuota
  let derivatives: Derivatives
  let copies: AlbumCopies
  let passphrases = PasswordWork(AlbumLimits.passphraseWork)

  init(_ hub: Hub) {
    self.hub = hub
    access = AlbumAccess(hub)
    quota = AlbumQuota(hub)
    let copies = AlbumCopies(hub)
    (derivatives, self.copies) = (Derivatives(hub) { copies.wake() }, copies)
  }

  /// After this change there may be pictures to be made small, and originals to be copied.
  /// - Parameter areBack: true for pictures that had been removed.
  func picturesCome(areBack: Bool = false, in change: Change) {
    let (derivatives, copies) = (derivatives, copies)
    change.database.touch(.derivatives)
    change.then {
      derivatives.wake()
      copies.wake(anew: areBack)
    }
  }

  /// Callers are looked up again after this change, and listeners checked.
  /// - Parameter losing: false if nobody may listen to less than before.
  func callersChange(losing: Bool = true, in change: Change) {
    let (access, channels) = (access, hub.channels)
    change.database.touch(.albumCallers)
    change.then {
      access.forget()
      if losing { channels.recheck() }
    }
  }
}

/// Listeners of an album's channel.
enum AlbumChannels {
  /// - Parameter address: the album's id.
  static func mayListen(
    _ principal: Principal, to address: Substring, _ database: Database
  ) throws(StoreError) -> Bool {
    guard let album = try database.album(address: String(address)) else { return false }
    var guest: Guest?
    if let known = principal.guest {
      guest = known.room == AlbumsRoom.id ? try database.guest(known.id) : nil
    } else if let person = principal.person {
      guest = try database.guest(person: person, of: album.id)
    }
    guard let guest, guest.album == album.id, guest.state == .in else { return false }
    return !album.options.uploadOnly || guest.isHost
  }
}
