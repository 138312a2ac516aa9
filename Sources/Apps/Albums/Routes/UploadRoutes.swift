import Hub
import Lifecycle
import Imaging
import Server
import Store
import Uploads
import Wire

/// Uploads by tus 1.0.0. Their bytes flow to the disk; the last ones' answer comes after the commit that makes a
/// picture of them, and names it: `Eightbells-Picture`.
struct UploadRoutes: Sendable {
  static let offer = UploadOffer(maxSize: UploadLimits.fileBytes)
  private static let path = "\(AlbumRoutes.path)/{id}/uploads"

  let services: AlbumServices
  let locks: UploadLocks
  let line = UploadLine(UploadLimits.atOnce, ofGuest: UploadLimits.atOnceOfGuest)
  let previews = UploadLine(UploadLimits.previewsAtOnce, ofGuest: UploadLimits.previewsOfGuest)
  var hub: Hub { services.hub }

  init(_ services: AlbumServices) {
    self.services = services
    locks = UploadLocks(services.hub.loop, services.hub.time)
  }

  func add(to router: inout Router) {
    let one = "\(Self.path)/{upload}"
    let (admit, rate) = (services.access.admitsThoseIn, UploadLimits.rate)
    for path in [Self.path, one] {
      router.on(
        .options, path, .immediate { _ throws(HTTPError) in Self.response(.options(Self.offer)) })
    }
    router.on(
      .post, Self.path, bodyLimit: UploadLimits.fileBytes, admit: admit, rate: rate,
      .streaming { request, body throws(HTTPError) in try await receive(request, body) })
    router.on(
      .patch, one, bodyLimit: UploadLimits.fileBytes, admit: admit, rate: rate,
      .streaming { request, body throws(HTTPError) in try await receive(request, body) })
    // For clients behind proxies that know no PATCH: X-HTTP-Method-Override.
    router.on(
      .post, one, bodyLimit: UploadLimits.fileBytes, admit: admit, rate: rate,
      .streaming { request, body throws(HTTPError) in try await receive(request, body) })
    router.on(
      .head, one, admit: admit, rate: rate, .task { request throws(HTTPError) in try await answer(request) })
    router.on(
      .delete, one, admit: admit, rate: rate, .task { request throws(HTTPError) in try await answer(request) })
    router.on(
      .put, "\(one)/preview", admit: admit, rate: rate,
      .task { request throws(HTTPError) in try await keepPreview(request) })
  }

  static func response(_ answer: UploadAnswer, picture: String? = nil) -> Response {
    var fields = answer.fields.map { Response.Field($0.name, $0.value) }
    if let picture { fields.append(Response.Field("Eightbells-Picture", picture)) }
    return Response(
      status: answer.status, contentType: Tus.contentType, body: .bytes([]), cacheControl: "no-store", fields: fields)
  }

  /// Reads a request's head.
  private func read(_ request: Request) throws(HTTPError) -> UploadRequest {
    do throws(UploadRefusal) {
      return try UploadRequest(
        request.head, isOnUpload: request.parameters["upload"] != nil, offer: Self.offer)
    } catch {
      throw error.http
    }
  }

  private func receive(_ request: Request, _ body: RequestBody) async throws(HTTPError) -> Response {
    let caller = try await services.access.caller(request)
    switch try read(request) {
    case .create(let creation): return try await create(creation, caller, body)
    case .append(let part):
      return try await ReceivedPart(routes: self, caller: caller, part: part, body: body).take(
        request.parameters["upload"] ?? "")
    case .terminate: return try await terminate(request.parameters["upload"] ?? "", caller)
    case .options, .state: throw HTTPError.noSuchUpload
    }
  }

  private func answer(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await services.access.caller(request)
    let address = request.parameters["upload"] ?? ""
    switch try read(request) {
    case .state: return try await state(address, caller)
    case .terminate: return try await terminate(address, caller)
    case .create, .append, .options: throw HTTPError.noSuchUpload
    }
  }

  // MARK: One by one

  private func create(
    _ creation: UploadCreation, _ caller: AlbumCaller, _ body: RequestBody
  ) async throws(HTTPError) -> Response {
    let details: SentDetails
    do throws(UploadRefusal) { details = try SentDetails(creation.metadata) } catch { throw error.http }
    let quota = services.quota
    let upload = try await hub.commit(as: caller.principal) { change in
      try UploadChange.begin(creation, details, by: caller, quota: quota, in: change)
    }
    let location = "\(AlbumRoutes.path)/\(caller.album.address)/uploads/\(upload.address)"
    guard let part = creation.part else {
      return Self.response(.created(location: location, offset: nil, expires: upload.expires))
    }
    let outcome: ReceivedPart.Outcome
    do throws(HTTPError) {
      outcome = try await ReceivedPart(routes: self, caller: caller, part: part, body: body).outcome(upload.address)
    } catch {
      // Without this answer nobody knows its address.
      try await hub.commit(as: caller.principal) { change in _ = try UploadChange.end(upload.address, in: change) }
      throw error
    }
    return Self.response(
      .created(location: location, offset: outcome.offset, expires: outcome.expires), picture: outcome.picture)
  }

  /// The caller's upload, unfinished or just finished.
  func find(_ address: String, _ caller: AlbumCaller) async throws(HTTPError) -> PendingUpload {
    guard AlbumSecret.isID(address) else { throw HTTPError.noSuchUpload }
    let (guest, album) = (caller.guest.id, caller.album.id)
    let found = try await services.read { database throws(StoreError) in
      try database.pendingUpload(address, of: guest)
    }
    guard let found, found.album == album else { throw HTTPError.noSuchUpload }
    // How long one that goes on is kept says the store.
    guard found.picture == nil || found.expires > hub.time.now else { throw UploadRefusal.gone.http }
    return found
  }

  private func state(_ address: String, _ caller: AlbumCaller) async throws(HTTPError) -> Response {
    let upload = try await find(address, caller)
    let hold = try await locks.hold(address)
    defer { locks.release(hold) }
    let received = try await hub.stored { () throws(StoreError) in
      try await hub.store.blobs.unfinishedUpload(upload.blob)
    }
    if let received {
      guard received.expires > hub.time.now else { throw UploadRefusal.gone.http }
      return Self.response(
        .state(
          offset: received.received, length: received.size, expires: received.expires,
          metadata: upload.details.metadata))
    }
    // It may have ended since it was looked up.
    let ended = try await find(address, caller)
    guard let picture = ended.picture else { throw UploadRefusal.gone.http }
    return Self.response(
      .state(offset: ended.size, length: ended.size, expires: ended.expires, metadata: ended.details.metadata),
      picture: picture)
  }

  private func terminate(_ address: String, _ caller: AlbumCaller) async throws(HTTPError) -> Response {
    let upload = try await find(address, caller)
    let hold = try await locks.hold(address)
    defer { locks.release(hold) }
    try await hub.commit(as: caller.principal) { change in
      _ = try AlbumChange.current(caller, in: change)
      try UploadChange.end(upload.address, in: change)
    }
    return Self.response(.terminated)
  }

  // MARK: Beside tus

  /// The sender's own small JPEG. It is never shown as it came, since it may hold more than a picture.
  private func keepPreview(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await services.access.caller(request)
    let upload = try await find(request.parameters["upload"] ?? "", caller)
    guard !request.body.isEmpty, request.body.count <= UploadLimits.previewBytes else {
      throw HTTPError(
        .uploadTooLarge, "The preview has \(request.body.count) bytes.",
        help: "A JPEG of up to \(UploadLimits.previewBytes) bytes is accepted.")
    }
    // One is enough: the first that was looked at stays.
    try await previews.enter(caller.guest.id)
    defer { previews.leave(caller.guest.id) }
    let latest = try await find(upload.address, caller)
    guard latest.picture == nil, latest.preview == nil else { return Self.response(.terminated) }
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
      try change.database.keep(preview, ofUpload: upload.address)
    }
    return Self.response(.terminated)
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
