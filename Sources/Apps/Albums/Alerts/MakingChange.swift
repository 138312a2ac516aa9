import CivilTime
import Hub
import Imaging
import Store

/// The changes that `Derivatives` makes.
extension AlbumChange {
  /// Keeps what was made of a picture.
  /// - Parameters:
  ///   - made: what was found out about it; nil for a video's copy and for a sound.
  ///   - blobs: the files, with the names of their blobs.
  ///   - done: the files that were wanted: those that cannot be made are not wanted any more.
  ///   - seconds: the length of a video that was made; nil if it is not known.
  ///   - sound: the digest of the sound that was sent and written anew; nil for anything else. If another one has been
  ///     sent since, nothing is kept: that one is still to be made.
  static func take(
    _ made: MadePicture?, of id: Int, _ blobs: [(Picture.Files, String, Blob)], instead done: Picture.Files,
    seconds: Double? = nil, from sound: BlobDigest? = nil, in change: Change
  ) throws {
    let database = change.database
    // It may have been deleted meanwhile.
    guard var picture = try database.picture(id), let album = try database.album(picture.album),
      try isLatest(sound, of: picture, in: database)
    else { return }
    let wasForAll = picture.isForAll
    if let made {
      let isFirst = picture.has.isDisjoint(with: [.small, .large])
      picture.kind = Picture.Kind(rawValue: made.kind.rawValue) ?? .other
      if made.width > 0 { (picture.width, picture.height) = (made.width, made.height) }
      if !made.placeholder.isEmpty { picture.placeholder = made.placeholder }
      picture.seconds = made.seconds ?? picture.seconds
      picture.taken =
        try made.taken ?? picture.taken ?? cameraTime(of: made.created, in: database.place()?.zone ?? .utc)
      if let pair = made.pair { try note(pair, of: &picture, in: change) }
      if isFirst, picture.kind == .video { picture.wants.insert(.video) }
      if picture.kind == .raw || picture.kind == .other { picture.wants.formIntersection(.sound) }
    }
    picture.seconds = picture.seconds ?? seconds
    picture.wants.subtract(done)
    for (file, name, blob) in blobs {
      try database.name(blob, as: Picture.blob(name, picture.address))
      picture.has.insert(file)
    }
    if picture.has.contains([.small, .large]), picture.has.contains(.preview) {
      try database.removeName(Picture.blob("preview", picture.address))
      picture.has.remove(.preview)
    }
    if let sound = blobs.first(where: { $0.0 == .sound }) {
      try endSentSound(of: &picture, keeping: sound.2.size, in: change)
      picture.tag = AlbumSecret.tag()
    }
    try keep(picture, wasForAll: wasForAll, album, in: change)
  }

  /// Keeps what was found out about a picture, and tells the pages.
  private static func keep(_ picture: Picture, wasForAll: Bool, _ album: Album, in change: Change) throws {
    try change.database.save(picture)
    try change.database.forgetTries(picture.id)
    if wasForAll, !picture.isForAll {
      tellGone(picture, album, in: change)
    } else {
      try tell("changed", picture, album, in: change)
    }
  }

  /// Notes the identifier that stands in a live photo's file. A word of the sender's by which two files were called a
  /// pair gives way to it in both, so that they stay one where only one of them tells its identifier.
  private static func note(_ pair: String, of picture: inout Picture, in change: Change) throws {
    var isCalledPair = false
    if let word = picture.pair, !isContentIdentifier(word) {
      try change.database.replacePair(word, by: pair, ofGuest: picture.guest)
      isCalledPair = true
    }
    picture.pair = pair
    try follow(&picture, isCalledPair: isCalledPair, in: change)
  }

  /// True unless another sound has been sent for a picture since the one that was written anew.
  private static func isLatest(
    _ sound: BlobDigest?, of picture: Picture, in database: Database
  ) throws(StoreError) -> Bool {
    guard let sound else { return true }
    return try database.digest(of: Picture.blob(Picture.sentSound, picture.address)) == sound
  }

  /// Forgets the sound as it was sent; what is left of it counts.
  private static func endSentSound(of picture: inout Picture, keeping bytes: Int, in change: Change) throws {
    try change.database.removeName(Picture.blob(Picture.sentSound, picture.address))
    try change.database.count(
      bytes: bytes - picture.soundSize, pictures: 0, album: picture.album, guest: picture.guest)
    picture.soundSize = bytes
  }

  /// Notes that nothing can be made of a picture.
  /// - Parameters:
  ///   - reason: nil if the program failed without a word about the picture, which is tried again.
  ///   - stage: the picture's stage that was worked at; it may have another one by now.
  ///   - sound: as for `take`.
  static func failed(
    _ id: Int, because reason: String?, at stage: Int, from sound: BlobDigest? = nil, in change: Change
  ) throws {
    // It may have been removed meanwhile.
    guard var picture = try change.database.picture(id), picture.stage > 0,
      let album = try change.database.album(picture.album), try isLatest(sound, of: picture, in: change.database)
    else { return }
    var reason = reason
    if reason == nil {
      let tries = try change.database.noteTry(id, now: change.now)
      guard tries >= AlbumLimits.tries else { return }
      reason = "program-failed"
    }
    // A picture with a size stays as it is; a video has its picture at least.
    let wasForAll = picture.isForAll
    switch stage {
    case 1:
      if picture.has.isDisjoint(with: [.small, .large]) { picture.failure = reason }
      picture.wants = []
    case 2: picture.wants.remove(.large)
    case 4:
      picture.wants.remove(.sound)
      // The one before is still there, if there was one.
      try endSentSound(of: &picture, keeping: picture.has.contains(.sound) ? picture.soundSize : 0, in: change)
    default: picture.wants.remove(.video)
    }
    try keep(picture, wasForAll: wasForAll, album, in: change)
  }
}
