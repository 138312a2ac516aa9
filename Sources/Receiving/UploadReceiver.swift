public import Hub
import Lifecycle
public import Server
import Store
public import Uploads
import Wire

/// Receives the uploads of a room by tus 1.0.0. Their bytes flow to the disk; the last ones' answer comes after the
/// commit that makes something of them, and names it: `Eightbells-Picture`.
public struct UploadReceiver: Sendable {
  /// The caller's place in the room.
  /// - Throws: if they may not send.
  public typealias Entrance = @Sendable (Request) async throws(HTTPError) -> any UploadPlace

  let hub: Hub
  let codes: UploadCodes
  let locks: UploadLocks
  let line: UploadLine
  private let offer: UploadOffer
  private let path: String
  private let entrance: Entrance

  /// - Parameters:
  ///   - path: of all uploads, without a slash at the end; one is at `path/{upload}`.
  ///   - largest: bytes of one file.
  ///   - ofSender: unfinished uploads of one sender, for the words of a refusal.
  public init(
    _ hub: Hub, _ codes: UploadCodes, at path: String, largest: Int, ofSender: Int, entrance: @escaping Entrance
  ) {
    (self.hub, self.codes, self.path, self.entrance) = (hub, codes, path, entrance)
    offer = UploadOffer(maxSize: largest)
    locks = UploadLocks(hub.loop, hub.time, refusal: codes.refusal(.locked))
    line = UploadLine(
      ReceivingLimits.atOnce, ofSender: ReceivingLimits.atOnceOfSender, refusal: codes.tooMany(ofSender))
  }

  public func add(to router: inout Router, admit: @escaping Admission, rate: RouteRate) {
    let (one, offer) = ("\(path)/{upload}", offer)
    for path in [path, one] {
      router.on(.options, path, .immediate { _ throws(HTTPError) in Self.response(.options(offer)) })
    }
    router.on(.post, path, bodyLimit: offer.maxSize, admit: admit, rate: rate, .streaming(receive))
    router.on(.patch, one, bodyLimit: offer.maxSize, admit: admit, rate: rate, .streaming(receive))
    // For clients behind proxies that know no PATCH: X-HTTP-Method-Override.
    router.on(.post, one, bodyLimit: offer.maxSize, admit: admit, rate: rate, .streaming(receive))
    router.on(.head, one, admit: admit, rate: rate, .task(answer))
    router.on(.delete, one, admit: admit, rate: rate, .task(answer))
  }

  /// An answer of tus.
  /// - Parameter outcome: the id of what an upload has become.
  public static func response(_ answer: UploadAnswer, outcome: String? = nil) -> Response {
    var fields = answer.fields.map { Response.Field($0.name, $0.value) }
    if let outcome { fields.append(Response.Field("Eightbells-Picture", outcome)) }
    return Response(
      status: answer.status, contentType: Tus.contentType, body: .bytes([]), cacheControl: "no-store", fields: fields)
  }

  /// Reads a request's head.
  private func read(_ request: Request) throws(HTTPError) -> UploadRequest {
    try codes.checked { () throws(UploadRefusal) in
      try UploadRequest(request.head, isOnUpload: request.parameters["upload"] != nil, offer: offer)
    }
  }

  private func receive(_ request: Request, _ body: RequestBody) async throws(HTTPError) -> Response {
    let place = try await entrance(request)
    let address = request.parameters["upload"] ?? ""
    switch try read(request) {
    case .create(let creation): return try await create(creation, place, body)
    case .append(let part):
      let received = try await ReceivedPart(receiver: self, place: place, part: part, body: body).take(address)
      return Self.response(
        .received(offset: received.offset, expires: received.expires), outcome: received.outcome)
    case .terminate: return try await terminate(address, place)
    case .options, .state: throw codes.noUpload
    }
  }

  private func answer(_ request: Request) async throws(HTTPError) -> Response {
    let place = try await entrance(request)
    let address = request.parameters["upload"] ?? ""
    switch try read(request) {
    case .state: return try await state(address, place)
    case .terminate: return try await terminate(address, place)
    case .create, .append, .options: throw codes.noUpload
    }
  }

  // MARK: One by one

  private func create(
    _ creation: UploadCreation, _ place: any UploadPlace, _ body: RequestBody
  ) async throws(HTTPError) -> Response {
    let (upload, location) = try await place.begin(creation)
    guard let part = creation.part else {
      return Self.response(.created(location: location, offset: nil, expires: upload.expires))
    }
    let received: ReceivedPart.Received
    do throws(HTTPError) {
      received = try await ReceivedPart(receiver: self, place: place, part: part, body: body).take(upload.address)
    } catch {
      // Without this answer nobody knows its address.
      try await place.end(upload.address)
      throw error
    }
    return Self.response(
      .created(location: location, offset: received.offset, expires: received.expires), outcome: received.outcome)
  }

  func find(_ address: String, _ place: any UploadPlace) async throws(HTTPError) -> OpenUpload {
    guard let found = try await place.find(address) else { throw codes.noUpload }
    // How long one that goes on is kept says the store.
    guard found.outcome == nil || found.expires > hub.time.now else { throw codes.refusal(.gone) }
    return found
  }

  private func state(_ address: String, _ place: any UploadPlace) async throws(HTTPError) -> Response {
    let upload = try await find(address, place)
    let hold = try await locks.hold(address)
    defer { locks.release(hold) }
    let received = try await hub.stored { () throws(StoreError) in
      try await hub.store.blobs.unfinishedUpload(upload.blob)
    }
    if let received {
      guard received.expires > hub.time.now else { throw codes.refusal(.gone) }
      return Self.response(
        .state(
          offset: received.received, length: received.size, expires: received.expires, metadata: upload.metadata))
    }
    // It may have ended since it was looked up.
    let ended = try await find(address, place)
    guard let outcome = ended.outcome else { throw codes.refusal(.gone) }
    return Self.response(
      .state(offset: ended.size, length: ended.size, expires: ended.expires, metadata: ended.metadata),
      outcome: outcome)
  }

  /// Gives an upload up. What it has become stays, and is named: its sender may not know yet that it ended.
  private func terminate(_ address: String, _ place: any UploadPlace) async throws(HTTPError) -> Response {
    _ = try await find(address, place)
    let hold = try await locks.hold(address)
    defer { locks.release(hold) }
    // Its last bytes may have come while this waited.
    let upload = try await find(address, place)
    if upload.outcome == nil { try await place.end(upload.address) }
    return Self.response(.terminated, outcome: upload.outcome)
  }
}
