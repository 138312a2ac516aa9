import Hub
import Receiving
import Server
import Settings

/// The room that the owner gives to albums.
struct AlbumQuota: Sendable {
  static let options = [
    DiskShare.option("albums_gigabytes", fallback: "100", "for the originals of one album"),
    DiskShare.option("albums_guest_gigabytes", fallback: "20", "for the originals of one guest in one album"),
  ]

  /// Bytes of one album, and of one guest in it.
  let album: Int
  let guest: Int
  private let hub: Hub

  init(_ hub: Hub) {
    album = DiskShare.bytes(hub.options["albums_gigabytes"])
    guest = DiskShare.bytes(hub.options["albums_guest_gigabytes"])
    self.hub = hub
  }

  /// Bytes that are free on the hub's disk, without those that stay free.
  var free: Int { DiskShare.free(hub) }

  /// - Parameter unfinished: bytes that have come of the album's unfinished uploads.
  /// - Throws: 413 if so many bytes more do not fit, 409 for a picture too many.
  func demand(_ bytes: Int, in album: Album, of guest: Guest, unfinished: Int = 0) throws(HTTPError) {
    guard album.pictures < AlbumLimits.pictures, guest.pictures < AlbumLimits.picturesOfGuest else {
      throw HTTPError.tooManyPictures
    }
    guard guest.bytes + bytes <= self.guest else {
      throw HTTPError(
        .guestIsFull,
        "You have sent \(DiskShare.words(guest.bytes)) of your \(DiskShare.words(self.guest)); this does not fit.",
        help: "What you withdraw takes its room for \(Int(AlbumLimits.keptDays)) days more, unless it is deleted for "
          + "good. Whoever runs the hub can give you more (albums_guest_gigabytes).")
    }
    guard album.bytes + unfinished + bytes <= self.album else {
      throw HTTPError(
        .albumIsFull,
        "The album has \(DiskShare.words(album.bytes)) of its \(DiskShare.words(self.album)); this does not fit.",
        help: "A host can delete removed pictures for good, or the owner of the hub gives it more room "
          + "(albums_gigabytes).")
    }
  }

  /// - Throws: 507 if the disk would be nearly full afterwards.
  func demandDisk(_ bytes: Int) throws(HTTPError) { try DiskShare.demandDisk(bytes, of: hub, .diskNearlyFull) }
}
