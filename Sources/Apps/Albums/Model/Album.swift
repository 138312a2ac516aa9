import Hub

/// One album.
struct Album: Equatable, Sendable {
  /// The way in by the link.
  enum Mode: String, Sendable {
    /// Whoever asks waits for a host's yes.
    case family
    case open
  }

  /// The key in the store, which nobody is told.
  var id = 0
  /// The id in addresses.
  let address: String
  var name: String
  var options: AlbumOptions
  /// The secret of its link. It is kept as it is, since hosts print it again and again.
  var secret: String
  /// The person who made it; nil for the command line, and once they are gone.
  var person: Int?
  /// Seconds since 1970.
  let createdAt: Double
  /// The end that a host has set by hand.
  var closedAt: Double?
  /// Bytes of all originals and sounds, those that were removed within the last days included, and their count.
  var bytes = 0
  var pictures = 0

  static let channels = Channel.private(AlbumsRoom.id)
  var channel: Channel { Self.channels.of(address) }

  /// True if nobody joins or sends any more. Who is in still sees everything.
  func isClosed(at now: Double) -> Bool { closedAt != nil || (options.closesAt.map { $0 <= now } ?? false) }

  /// The address of its link.
  func joinURL(on hub: String) -> String { "\(hub)/album#\(secret)" }

  /// The address by which a device becomes the host with a token.
  func hostURL(on hub: String, token: String) -> String { "\(hub)/album/host#id=\(address)&token=\(token)" }
}

/// The choices of an album's hosts.
struct AlbumOptions: Equatable, Sendable {
  var mode: Album.Mode = .family
  /// True if a host looks at each picture before all others do.
  var review = false
  /// True if guests see their own pictures only.
  var uploadOnly = false
  /// True if guests see when a picture was taken, and not only when it came.
  var showsTaken = false
  /// True if the wall plays the sounds of pictures.
  var playsSound = false
  /// The hash of the passphrase that the link asks for; nil for none.
  var passphrase: String?
  /// The moment when it closes by itself.
  var closesAt: Double?
}
