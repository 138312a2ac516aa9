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

  private func send(_ file: Picture.Files, _ name: String, _ request: Request) async throws(HTTPError) -> Response {
    let (picture, _) = try await services.access.picture(request)
    var (file, name) = (file, name)
    // A page that was told of the preview may ask for it when our own sizes have taken its place.
    if file == .preview, !picture.has.contains(file) { (file, name) = (.small, "320") }
    guard picture.has.contains(file), let content = try await hub.content(of: Picture.blob(name, picture.address))
    else { throw HTTPError.noSuchFile }
    let type =
      switch file {
      case .video: "video/mp4"
      case .sound: "audio/mp4"
      default: "image/jpeg"
      }
    return Response(
      contentType: type, body: Response.Body(content), etag: "\(picture.tag)-\(name)",
      // Made once; when a picture goes, so does its address. A sound may be replaced.
      cacheControl: file == .sound ? "private, no-cache" : "private, max-age=86400",
      fields: [Response.Field("Accept-Ranges", "bytes")])
  }

  private func original(_ request: Request) async throws(HTTPError) -> Response {
    let (picture, caller) = try await services.access.picture(request)
    guard caller.mayHaveOriginal(picture) else {
      throw HTTPError(
        .notYours, "Only hosts and whoever has sent a picture may have its original.",
        help: "What all may see is under sizes.")
    }
    let sender = try await services.hub.read { database throws(StoreError) in try database.guest(picture.guest)?.name }
    let name = OriginalName.name(of: KeptOriginal(picture, by: sender), in: hub.place.zone)
    let answer = try await hub.original(
      request, picture.original, type: picture.type, named: name, etag: "\(picture.tag)-original")
    guard let answer else { throw HTTPError.noSuchFile }
    return answer
  }
}
