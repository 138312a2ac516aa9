import Hub
import Receiving
import Server
import Store
import Wire

/// The files of pictures: our own sizes for all who see a picture; its original for hosts and its own guest.
///
/// Entity tags are random, and addresses are ids, so neither tells who else has a file.
struct MediaRoutes: Sendable {
  private static let path = "\(AlbumRoutes.path)/{id}/pictures/{picture}"
  private let services: AlbumServices
  private var hub: Hub { services.hub }

  init(_ services: AlbumServices) { self.services = services }

  func add(to router: inout Router) {
    for (file, name) in Picture.fileNames {
      router.on(
        .get, "\(Self.path)/\(name)",
        .task { request throws(HTTPError) in try await send(file, name, request) })
    }
    router.on(.get, "\(Self.path)/original", .task(original))
  }

  private func picture(_ request: Request) async throws(HTTPError) -> (Picture, AlbumCaller) {
    let caller = try await services.access.caller(request)
    let (address, album) = (request.parameters["picture"] ?? "", caller.album.id)
    guard AlbumSecret.isID(address) else { throw HTTPError.noSuchPicture }
    let picture = try await services.hub.read { database throws(StoreError) in
      try database.picture(address: address, of: album)
    }
    guard let picture, caller.maySee(picture) else { throw HTTPError.noSuchPicture }
    return (picture, caller)
  }

  private func content(_ file: String, of picture: Picture) async throws(HTTPError) -> BlobContent {
    let content = try await hub.stored { () throws(StoreError) in
      try await hub.store.blobs.content(of: Picture.blob(file, picture.address))
    }
    guard let content else { throw HTTPError.noSuchFile }
    return content
  }

  private func send(_ file: Picture.Files, _ name: String, _ request: Request) async throws(HTTPError) -> Response {
    let (picture, _) = try await picture(request)
    guard picture.has.contains(file) else { throw HTTPError.noSuchFile }
    let content = try await content(name, of: picture)
    let type =
      switch file {
      case .video: "video/mp4"
      case .sound: "audio/mp4"
      default: "image/jpeg"
      }
    return Response(
      contentType: type, body: Response.Body(content), etag: "\(picture.tag)-\(name)",
      // Made once; when a picture goes, so does its address. A sound may be replaced.
      cacheControl: file == .sound ? "private, no-cache" : "private, max-age=86400", fields: Self.fields)
  }

  private func original(_ request: Request) async throws(HTTPError) -> Response {
    let (picture, caller) = try await picture(request)
    guard caller.mayHaveOriginal(picture) else {
      throw HTTPError(
        .notYours, "Only hosts and whoever has sent a picture may have its original.",
        help: "What all may see is under sizes.")
    }
    let isKnown = !FileKind.ending(ofType: picture.type).isEmpty
    let type = isKnown ? picture.type ?? FileKind.unknown.type : FileKind.unknown.type
    let sender = try await services.hub.read { database throws(StoreError) in try database.guest(picture.guest)?.name }
    let name = OriginalName.name(of: KeptOriginal(picture, by: sender), in: hub.place.zone)
    let blob = Picture.blob("original", picture.address)
    if let answer = try await hub.redirect(request, to: blob, type: type, .attachment(name)) { return answer }
    let content = try await content("original", of: picture)
    return Response(
      contentType: type, body: Response.Body(content), etag: "\(picture.tag)-original",
      cacheControl: "private, no-cache",
      fields: Self.fields + [
        .attachment(name),
        // Should a browser show it all the same, nothing in it runs.
        Response.Field("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
      ])
  }

  private static let fields = [Response.Field("Accept-Ranges", "bytes")]
}
