import Hub

/// Whoever sends a request about an album they are in.
struct AlbumCaller: Sendable {
  let album: Album
  let guest: Guest
  /// For `hub.commit`.
  let principal: Principal

  var isHost: Bool { guest.isHost }

  /// True if they are told of everybody's pictures.
  var seesAll: Bool { guest.state == .in && (isHost || !album.options.uploadOnly) }

  /// True if they may see a picture as it is now.
  func maySee(_ picture: Picture) -> Bool {
    if isHost { return picture.removedAt == nil || !picture.isWithdrawn || picture.guest == guest.id }
    guard picture.removedAt == nil else { return false }
    if picture.guest == guest.id { return true }
    return !album.options.uploadOnly && picture.isForAll
  }

  /// True if they may have a picture's original, with all that is in it.
  func mayHaveOriginal(_ picture: Picture) -> Bool { maySee(picture) && (isHost || picture.guest == guest.id) }
}
