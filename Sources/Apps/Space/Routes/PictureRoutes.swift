import Hub
import Observe
import Pictures
import Realtime
import Server
import Store
import Wire

/// The space's logo and the pictures of its sign: stored as blobs, uploaded in pieces, served by name.
struct PictureRoutes: Sendable {
  let hub: Hub
  let board: Board

  func add(to router: inout Router) {
    router.on(.get, "/space/pictures/{name}", .task(picture))
    router.on(
      .put, "/api/v1/space/pictures/{name}", bodyLimit: SpaceLimits.pictureBytes, admit: hub.needs(.manage),
      .streaming(save))
    router.on(.delete, "/api/v1/space/pictures/{name}", admit: hub.needs(.manage), .task(remove))
  }

  private func picture(_ request: Request) async throws(HTTPError) -> Response {
    let name = try name(request)
    if let old = board.pictures.first(where: { $0.name == name }), !old.isClean {
      try await OldPictures(hub: hub, board: board).clean(old)
    }
    guard let content = try await hub.content(of: Self.blobName(name)),
      let kept = board.pictures.first(where: { $0.name == name })
    else {
      throw HTTPError(
        .noSuchPicture, "There is no picture \"\(name.rawValue)\".",
        help: "The owner sends one: PUT /api/v1/space/pictures/\(name.rawValue).")
    }
    var fields = [Response.Field.anyOrigin, Response.Field("Accept-Ranges", "bytes")]
    // An SVG opened by itself is a document, which must not run scripts on our origin.
    fields.append(
      Response.Field(
        "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"))
    return Response(
      contentType: kept.type.rawValue, body: Response.Body(content), etag: String(content.digest.hex.prefix(16)),
      fields: fields)
  }

  private func save(_ request: Request, _ body: RequestBody) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    let name = try name(request)
    let upload = hub.store.blobs.upload(limit: SpaceLimits.pictureBytes)
    do throws(HTTPError) {
      var filter = PictureFilter()
      while let piece = try await body.next() {
        let kept = try Self.judged { () throws(PictureFilter.Fault) in try filter.feed(piece) }
        try await hub.stored { () throws(StoreError) in try await upload.append(kept) }
      }
      let (found, rest) = try Self.judged { () throws(PictureFilter.Fault) in try filter.finish() }
      try await hub.stored { () throws(StoreError) in try await upload.append(rest) }
      guard let type = found else {
        throw HTTPError(
          .unsupportedPicture, "What was sent is no picture that browsers show.", help: Self.acceptedKinds)
      }
      let picture = try await keep(upload, name, type, by: principal)
      hub.log.info("a picture was saved", ["name": name.rawValue, "by": principal.name])
      return Response(json: picture)
    } catch {
      await upload.cancel()
      throw error
    }
  }

  private static let acceptedKinds =
    "Accepted: \(PictureType.allCases.map(\.rawValue).joined(separator: ", "))."

  private static func judged<T>(_ work: () throws(PictureFilter.Fault) -> T) throws(HTTPError) -> T {
    do throws(PictureFilter.Fault) {
      return try work()
    } catch {
      throw HTTPError(
        .brokenPicture, error.reason.text, help: "Send a whole one. \(acceptedKinds)", reason: error.reason)
    }
  }

  private func keep(
    _ upload: BlobUpload, _ name: PictureName, _ type: PictureType, by principal: Principal
  ) async throws(HTTPError) -> JSON {
    let blob = try await hub.stored { () throws(StoreError) in try await upload.finish() }
    let pictures = try await hub.commit(as: principal) { change in
      try change.database.name(blob, as: Self.blobName(name))
      try change.database.save(picture: name, type)
      try change.audit("picture.saved", about: name.rawValue)
      try hub.show(SpaceRoom.id, in: change)
      return try board.showPictures(in: change)
    }
    let address = pictures.first { $0.name == name }?.address ?? ""
    return [
      "name": .string(name.rawValue), "type": .string(type.rawValue), "size": .int(blob.size),
      "sha256": .string(blob.digest.hex), "url": .string(address),
    ]
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    let name = try name(request)
    try await hub.commit(as: principal) { change in
      try change.database.removeName(Self.blobName(name))
      try change.database.removePicture(name)
      try change.audit("picture.removed", about: name.rawValue)
      try board.showPictures(in: change)
    }
    return .nothing()
  }

  static func blobName(_ name: PictureName) -> BlobName { BlobName(room: "space", "picture/\(name.rawValue)") }

  private func name(_ request: Request) throws(HTTPError) -> PictureName {
    let text = request.parameters["name"] ?? ""
    guard let name = PictureName(rawValue: text) else {
      let names = PictureName.allCases.map(\.rawValue).joined(separator: ", ")
      throw HTTPError(.noSuchPicture, "There is no picture \"\(text)\".", help: "Accepted: \(names).")
    }
    return name
  }
}

extension Board {
  /// Shows the stored pictures after a change of them.
  @discardableResult
  func showPictures(in change: Change) throws(StoreError) -> [Picture] {
    let (pictures, number) = (try change.database.pictures(), change.number)
    change.database.touch(.spacePictures)
    change.then { self.set(pictures, commit: number) }
    change.publish(SpaceChannel.settings, on: SpaceChannel.channel, [:])
    return pictures
  }
}
