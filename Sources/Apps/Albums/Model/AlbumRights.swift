import Hub

extension Right {
  /// To make albums. The owners may keep it to themselves (`AlbumMakers`).
  static let makeAlbums = Right("albums.make", of: Set(Role.ofPeople), "makes albums")
  /// To make albums where the owners keep it to themselves, and to take an album off its event.
  static let manageAlbums = Right("albums.manage", of: [.owner])
  /// To be in an album: as a guest of its link, or as a member of the hub.
  static let visitAlbums = Right("albums.visit", of: Set(Role.allCases).subtracting([.sensor]), guests: true)
}
