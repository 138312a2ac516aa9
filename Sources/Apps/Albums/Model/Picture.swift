import Store

/// One picture of an album.
struct Picture: Equatable, Sendable {
  enum Kind: String, Sendable {
    case photo, video, raw, other
  }

  /// The decision of a host, or of the album, on who sees it.
  enum Showing: String, Sendable {
    case shown
    /// Until a host has looked.
    case waiting
    case hidden
  }

  /// The files beside the original, as bits of a column.
  struct Files: OptionSet, Hashable, Sendable {
    let rawValue: Int
    static let preview = Self(rawValue: 1)
    static let small = Self(rawValue: 2)
    static let large = Self(rawValue: 4)
    static let video = Self(rawValue: 8)
    static let sound = Self(rawValue: 16)
  }

  /// The key in the store, which nobody is told.
  var id = 0
  let album: Int
  /// The id in addresses.
  let address: String
  /// The key of its guest.
  let guest: Int
  /// When it came: seconds since 1970.
  let at: Double
  var kind: Kind = .photo
  /// As it is seen; 0 until that is known.
  var width = 0
  var height = 0
  /// ThumbHash; empty until it is made.
  var placeholder: [UInt8] = []
  /// The length of a video.
  var seconds: Double?
  /// The files that are there, and those that are still to be made.
  var has: Files = []
  var wants: Files = []
  var showing: Showing = .shown
  /// Why nothing can be made of it; nil if it can.
  var failure: String?
  var hearts = 0
  /// When it was removed, and whether its own guest did so.
  var removedAt: Double?
  var isWithdrawn = false
  /// The entity tag of its files.
  var tag: String

  // Known to hosts and its own guest.
  var name: String?
  var type: String?
  var size: Int
  /// Bytes of its sound, as they count; 0 without one.
  var soundSize = 0
  /// EXIF's local time, "2026-11-21T18:04:00".
  var taken: String?
  /// Apple's identifier of a live photo: a photo and a video with the same one belong together.
  var pair: String?
  /// A piece of music: its address and its title.
  var music: Music?

  struct Music: Equatable, Sendable {
    var address: String?
    var title: String
  }

  /// The state as all are told.
  var state: String {
    if showing != .shown { return showing.rawValue }
    if failure != nil { return "failed" }
    if kind == .raw || kind == .other { return "shown" }
    return has.isDisjoint(with: [.small, .large]) ? "making" : "shown"
  }

  /// True for one that everybody in the album sees. Of raw files and of others there is nothing to see.
  var isForAll: Bool {
    removedAt == nil && showing == .shown && failure == nil && (kind == .photo || kind == .video)
  }

  /// True for a video with a picture of which nothing that plays will be made: it is too long, or ffmpeg gave up.
  var isUnplayable: Bool {
    kind == .video && failure == nil && !has.isDisjoint(with: [.small, .large])
      && has.union(wants).isDisjoint(with: .video)
  }

  /// True for what came as a video.
  var isSentVideo: Bool { type?.hasPrefix("video/") ?? false }

  // MARK: Blobs

  var original: BlobName { Self.blob("original", address) }
  static func blob(_ file: String, _ address: String) -> BlobName {
    BlobName(room: AlbumsRoom.id, "\(file)/\(address)")
  }

  /// The names of the blobs of a kind, as in addresses.
  static let fileNames: [(file: Files, name: String)] = [
    (.preview, "preview"), (.small, "320"), (.large, "1600"), (.video, "video"), (.sound, "sound"),
  ]

  /// The sound as it was sent, until it is written anew.
  static let sentSound = "sound-sent"

  /// The blobs of all files that it can have.
  static func blobs(_ address: String) -> [BlobName] {
    ["original", sentSound].map { blob($0, address) } + fileNames.map { blob($0.name, address) }
  }
}

/// A picture that has come, whose original has no name yet.
struct NewPicture: Sendable {
  /// The key of the album.
  var album: Int
  /// The key of the guest who sent it (`AlbumCaller.guest`).
  var guest: Int
  /// The original: complete, on the disk, and without a name.
  var blob: Blob
  var crc32: UInt32
  var size: Int
  var name: String?
  var type: String?
  /// The time of taking as the sender says it, "2026-11-21T18:04:00".
  var taken: String?
  /// When it came, in seconds since 1970; nil for now.
  var at: Double?
  /// Apple's identifier of a live photo, as the sender says it.
  var pair: String?
  /// The sender's own preview, written anew by the program for pictures; nil if none was sent.
  var preview: Preview?

  struct Preview: Sendable {
    var blob: Blob
    var width: Int
    var height: Int
    var placeholder: [UInt8]
  }
}
