import Hub
import Imaging
import Lifecycle
import Receiving
import Server
import Uploads
import Wire

/// Uploads by tus 1.0.0: `Receiving` has its routes. Beside them a sender's own preview.
struct UploadRoutes: Sendable {
  private static let path = "\(AlbumRoutes.path)/{id}/uploads"

  private let services: AlbumServices
  private let receiver: UploadReceiver
  private let previews = UploadLine(
    UploadLimits.previewsAtOnce, ofSender: UploadLimits.previewsOfGuest, refusal: .tooManyUploads)
  private var hub: Hub { services.hub }

  init(_ services: AlbumServices) {
    self.services = services
    receiver = UploadReceiver(
      services.hub, .ofAlbums, at: Self.path, largest: UploadLimits.fileBytes, ofSender: UploadLimits.ofGuest
    ) { request throws(HTTPError) in
      AlbumUploadPlace(services, try await services.access.caller(request))
    }
  }

  func add(to router: inout Router) {
    let (admit, rate) = (services.access.admitsThoseIn, UploadLimits.rate)
    receiver.add(to: &router, admit: admit, rate: rate)
    router.on(.put, "\(Self.path)/{upload}/preview", admit: admit, rate: rate, .task(keepPreview))
  }

  /// The sender's own small JPEG. It is never shown as it came, since it may hold more than a picture.
  private func keepPreview(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await services.access.caller(request)
    let place = AlbumUploadPlace(services, caller)
    let upload = try await find(request.parameters["upload"] ?? "", place)
    guard !request.body.isEmpty, request.body.count <= UploadLimits.previewBytes else {
      throw HTTPError(
        UploadCodes.ofAlbums.tooLarge, "The preview has \(request.body.count) bytes.",
        help: "A JPEG of up to \(UploadLimits.previewBytes) bytes is accepted.")
    }
    // One is enough: the first that was looked at stays.
    try await previews.enter(caller.guest.id)
    defer { previews.leave(caller.guest.id) }
    let latest = try await find(upload.open.address, place)
    guard latest.open.outcome == nil, latest.preview == nil else { return UploadReceiver.response(.terminated) }
    let made: MadePicture
    do throws(PictureError) {
      made = try await services.derivatives.workshop.make(
        PictureJob(bytes: request.body, wish: .preview), urgent: true)
    } catch {
      throw Self.refusal(of: error)
    }
    guard let bytes = made.sizes.values.first, bytes.count <= UploadLimits.previewBytes else {
      throw Self.refusal(of: .notAPicture("nothing small was made"))
    }
    let preview = SentPreview(bytes: bytes, width: made.width, height: made.height, placeholder: made.placeholder)
    try await hub.commit(as: caller.principal) { change in
      _ = try AlbumChange.whoIsIn(caller, in: change)
      try change.database.keep(preview, ofUpload: upload.open.address)
    }
    return UploadReceiver.response(.terminated)
  }

  private func find(_ address: String, _ place: AlbumUploadPlace) async throws(HTTPError) -> PendingUpload {
    guard let found = try await place.pending(address) else { throw UploadCodes.ofAlbums.noUpload }
    guard found.open.outcome == nil || found.open.expires > hub.time.now else {
      throw UploadCodes.ofAlbums.refusal(.gone)
    }
    return found
  }

  private static func refusal(of error: PictureError) -> HTTPError {
    switch error {
    case .notAPicture, .tooLarge:
      HTTPError(
        .previewRefused, "The preview is \(error.description.prefix(200)).", help: "Send a small JPEG, or none.")
    case .tookTooLong, .helperFailed, .notRunning, .notInstalled, .full:
      HTTPError(
        .pictureProgramBusy, "The preview cannot be looked at now: \(error.description.prefix(200)).",
        help: "Send the picture without it.", fields: [Response.Field("Retry-After", "30")])
    }
  }
}
