/// Somebody in an album: a guest of its link, or a member of the hub.
struct Guest: Equatable, Sendable {
  enum Role: String, Sendable {
    case guest, host
  }

  enum State: String, Sendable {
    /// Waits for a host's yes.
    case asked
    case `in`
    case refused, removed, left

    /// True for those who still come back by their token.
    var isHere: Bool { self == .asked || self == .in }
  }

  /// The key in the store: that of the principal `.guest(id, of: "albums", …)`.
  var id = 0
  /// The key of the album.
  let album: Int
  /// The id in addresses and answers.
  let address: String
  /// The member of the hub; nil for a guest.
  var person: Int?
  /// Nil if nobody said one.
  var name: String?
  var role: Role = .guest
  var state: State
  /// When they joined or asked, the last time.
  var joinedAt: Double
  /// Bytes and count of their pictures, those that were removed within the last days included.
  var bytes = 0
  var pictures = 0

  var isHost: Bool { role == .host && state == .in }
}
