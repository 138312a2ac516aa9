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
    let isOwn = picture.guest == guest.id
    // A guest cannot delete for good what a host has removed, and then send it once more.
    if picture.removedAt != nil { return picture.isWithdrawn ? isOwn : isHost }
    return isHost || isOwn || !album.options.uploadOnly && picture.isForAll
  }

  /// True if they may have a picture's original, with all that is in it.
  func mayHaveOriginal(_ picture: Picture) -> Bool { maySee(picture) && (isHost || picture.guest == guest.id) }
}
