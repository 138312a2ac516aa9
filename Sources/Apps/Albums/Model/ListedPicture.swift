import Crypto
import Hub
import Wire

/// A picture with what its answers need of other rows.
struct ListedPicture: Sendable {
  var picture: Picture
  /// The id in addresses, and the name, of its guest.
  var by: String
  var byName: String?
  /// True if the caller has given it a heart.
  var isHearted = false
  /// The id of the other half of a live photo.
  var pair: String?
  /// Pictures of the hub whose small sizes are made before this one's; nil for others' pictures, and once it is made.
  var ahead: Int?

  /// As everybody in the album may see it: for live events.
  func json(in album: Album) -> JSON { .object(members(in: album)) }

  /// As a caller may see it.
  func json(for caller: AlbumCaller) -> JSON {
    var members = members(in: caller.album)
    let isOwn = picture.guest == caller.guest.id
    members.append(.init("mine", .bool(isOwn)))
    members.append(.init("hearted", .bool(isHearted)))
    guard isOwn || caller.isHost else { return .object(members) }
    members.append(.init("original", .string(path("original", in: caller.album))))
    members.append(.init("name", JSON(picture.name)))
    members.append(.init("bytes", .int(picture.size)))
    if let ahead { members.append(.init("ahead", .int(ahead))) }
    if !caller.album.options.showsTaken, let taken = picture.taken {
      members.append(.init("taken", .string(taken)))
    }
    if let removed = picture.removedAt { members.append(.init("removed_at", JSON(instant: removed))) }
    return .object(members)
  }

  private func path(_ file: String, in album: Album) -> String {
    "\(AlbumRoutes.path)/\(album.address)/pictures/\(picture.address)/\(file)"
  }

  private func members(in album: Album) -> [JSON.Member] {
    var sizes: [JSON.Member] = []
    for (file, name) in Picture.fileNames.prefix(3) where picture.has.contains(file) {
      sizes.append(.init(name, .string(path(name, in: album))))
    }
    var members: [JSON.Member] = [
      .init("id", .string(picture.address)), .init("kind", .string(picture.kind.rawValue)),
      .init("width", .int(picture.width)), .init("height", .int(picture.height)),
      .init("by", ["id": .string(by), "name": JSON(byName)]), .init("at", JSON(instant: picture.at)),
      .init("placeholder", picture.placeholder.isEmpty ? .null : .string(Digest.base64(picture.placeholder))),
      .init("sizes", .object(sizes)), .init("hearts", .int(picture.hearts)), .init("state", .string(picture.state)),
    ]
    if picture.has.contains(.video) { members.append(.init("video", .string(path("video", in: album)))) }
    if picture.isUnplayable { members.append(.init("unplayable", true)) }
    if let seconds = picture.seconds { members.append(.init("seconds", .double(seconds))) }
    if let sound = sound(in: album) { members.append(.init("sound", sound)) }
    if let pair { members.append(.init("pair", .string(pair))) }
    if album.options.showsTaken, let taken = picture.taken { members.append(.init("taken", .string(taken))) }
    if let failure = picture.failure { members.append(.init("reason", .string(failure))) }
    return members
  }

  /// The recorded sound's path, or the address and title of a piece of music.
  private func sound(in album: Album) -> JSON? {
    if picture.has.contains(.sound) { return ["url": .string(path("sound", in: album))] }
    return picture.music.map { ["address": JSON($0.address), "title": .string($0.title)] }
  }
}
