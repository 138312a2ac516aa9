import Hub
import Lifecycle
import Objects
import Server
import Store
import Wire

/// Files of apps: sent as they are or within JSON, and fetched by anybody who knows the name.
struct FileRoutes: Sendable {
  let objects: AppObjects
  let register: AppRegister
  private let parse: ParseRoutes
  private let embedded = RequestGate(
    AppsLimits.filesEmbedded, each: AppsLimits.filesEmbeddedEach,
    refusal: ObjectError.tooMany("Many files are being sent. Try it again in a moment.").http)

  init(_ objects: AppObjects, _ register: AppRegister) {
    (self.objects, self.register, parse) = (objects, register, ParseRoutes(objects, register))
  }

  func add(to router: inout Router) {
    let admit: Admission = { request throws(HTTPError) in try await parse.admit(request) }
    router.on(
      .post, "\(FileAddresses.path){name}", bodyLimit: AppsLimits.fileRequestBytes, admit: admit,
      rate: AppsLimits.fileUploads, dialect: ParseDialect.usual, .streaming(save))
    router.on(
      .delete, "\(FileAddresses.path){name}", admit: admit,
      rate: AppsLimits.fileUploads, dialect: ParseDialect.usual,
      .task { request throws(HTTPError) in
        try await remove(request.parameters["name"] ?? "", ParseKeys(request), request)
      })
    router.on(.get, "\(FileAddresses.path){app}/{name}", dialect: ParseDialect.usual, .task(file))
    for path in ["\(FileAddresses.path){name}", "\(FileAddresses.path){app}/{name}"] {
      router.on(.options, path, .immediate { _ throws(HTTPError) in ParseDialect.preflight })
    }
  }

  /// The app, and whoever asks.
  private func caller(
    _ keys: ParseKeys, _ request: Request
  ) async throws(HTTPError) -> (app: App, caller: Objects.Caller) {
    let (app, isMaster) = try await keys.app(of: register, from: request.peer, now: objects.hub.time.now)
    return (app, try await parse.caller(keys, isMaster, app))
  }

  // MARK: Getting

  private func file(_ request: Request) async throws(HTTPError) -> Response {
    guard let app = await register.find(applicationID: request.parameters["app"] ?? ""), app.options.isEnabled,
      let name = FileName(request.parameters["name"] ?? "")
    else { throw Self.missing }
    let found = try await objects.hub.stored { () throws(StoreError) in
      (
        try await objects.hub.store.look { database throws(StoreError) in try database.file(name.text, of: app.id) },
        try await objects.hub.store.blobs.content(of: KeptFile.blob(app.id, name.text))
      )
    }
    guard let file = found.0, let content = found.1 else { throw Self.missing }
    return Response(
      contentType: FileType.served(file.type), body: Response.Body(content),
      etag: String(content.digest.hex.prefix(16)),
      // The name is drawn anew for each file, so what it names never changes.
      cacheControl: "public, max-age=31536000, immutable",
      fields: [
        .anyOrigin, .init("Accept-Ranges", "bytes"),
        .init(
          "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"),
      ])
  }

  private static let missing = ObjectError(101, "File not found.").http

  // MARK: Saving

  private func save(_ request: Request, _ body: RequestBody) async throws(HTTPError) -> Response {
    let keys = ParseKeys(request)
    let upload = objects.hub.store.blobs.upload(limit: AppsLimits.fileBytes)
    do throws(HTTPError) {
      if keys.applicationID == nil { return try await saveEmbedded(request, body, upload) }
      return try await savePlain(request, body, upload, keys)
    } catch {
      await upload.cancel()
      throw error
    }
  }

  private func savePlain(
    _ request: Request, _ body: RequestBody, _ upload: BlobUpload, _ keys: ParseKeys
  ) async throws(HTTPError) -> Response {
    // Before the body comes; `keep` asks again, since the session may have ended meanwhile.
    _ = try await sender(keys, request)
    while let piece = try await body.next() { try await append(piece, to: upload) }
    return try await keep(upload, keys, type: request.head.fields["content-type"], request)
  }

  /// A file within JSON, with the keys beside it: before all has come, nobody knows whether it will be kept.
  private func saveEmbedded(
    _ request: Request, _ body: RequestBody, _ upload: BlobUpload
  ) async throws(HTTPError) -> Response {
    let place = try embedded.enter(for: Attempts.network(of: request.peer))
    defer { withExtendedLifetime(place) {} }
    var file = EmbeddedFile()
    let json: JSON
    do {
      while let piece = try await body.next() {
        let bytes = try file.feed(piece)
        if !bytes.isEmpty { try await append(bytes, to: upload) }
      }
      json = try file.finish()
    } catch let error as EmbeddedFile.Fault {
      throw ObjectError(130, error.words).http
    } catch {
      throw error as? HTTPError ?? ObjectError(130, "Invalid file upload.").http
    }
    var keys = ParseKeys(request)
    keys.take(json.members ?? [])
    let (app, _) = try await keys.app(of: register, from: request.peer, now: objects.hub.time.now)
    try objects.requests.take(app)
    if json["_method"]?.string?.uppercased() == "DELETE" {
      await upload.cancel()
      return try await remove(request.parameters["name"] ?? "", keys, request)
    }
    return try await keep(upload, keys, type: json["_ContentType"]?.string, request)
  }

  /// The app, and whoever sends it a file.
  /// - Throws: 130 for those who have not signed in, unless the app takes files of everybody.
  private func sender(
    _ keys: ParseKeys, _ request: Request
  ) async throws(HTTPError) -> (app: App, caller: Objects.Caller) {
    let (app, caller) = try await caller(keys, request)
    guard caller.isMaster || caller.user != nil || app.options.publicFiles else {
      throw ObjectError(130, "File upload by public is disabled.").http
    }
    return (app, caller)
  }

  /// Files that are arriving count for nobody yet, and may be any number at a time: they leave the hub some room.
  private func append(_ bytes: [UInt8], to upload: BlobUpload) async throws(HTTPError) {
    guard min(objects.hub.freeBytes, objects.hub.freeBytesForBlobs) > AppsLimits.freeBytes else {
      throw ObjectError(130, "There is no room for files left on the hub's disk.").http
    }
    let fits = try await objects.hub.stored { () throws(StoreError) in
      do throws(StoreError) {
        try await upload.append(bytes)
        return true
      } catch {
        guard error.code == .tooLarge else { throw error }
        return false
      }
    }
    guard fits else {
      throw ObjectError(129, "The file is too large; \(AppsLimits.fileBytes) bytes are accepted.").http
    }
  }

  private func keep(
    _ upload: BlobUpload, _ keys: ParseKeys, type: String?, _ request: Request
  ) async throws(HTTPError) -> Response {
    let (app, caller) = try await sender(keys, request)
    let given = request.parameters["name"] ?? ""
    let name: FileName
    do throws(FileName.Fault) { name = try FileName(given: given) } catch { throw error.refusal.http }
    guard let type = FileType.type(of: given, named: type) else { throw FileName.Fault.page.refusal.http }
    let blob = try await objects.hub.stored { () throws(StoreError) in try await upload.finish() }
    guard blob.size > 0 else { throw ObjectError(130, "Invalid file upload.").http }
    try await objects.write(app, as: caller, requestID: keys.requestID) { writer in
      let holdings = try writer.database.holdings(of: app.id)
      guard holdings.files < AppsLimits.files else { throw ObjectError.full("\(AppsLimits.files) files") }
      guard holdings.fileBytes + blob.size <= app.options.mostFileBytes else {
        throw ObjectError.full("\(app.options.mostFileBytes) bytes of files")
      }
      let file = KeptFile(app: app.id, name: name.text, type: type, size: blob.size)
      try writer.database.add(file, blob, now: writer.change.now)
    }
    let url = FileAddresses(app, objects.hub, for: request).address(of: name)
    return Response(
      status: 201, json: ["name": .string(name.text), "url": .string(url)],
      fields: ParseDialect.cors + [.init("Location", url)]
    ).notStored()
  }

  // MARK: Removing

  private func remove(_ name: String, _ keys: ParseKeys, _ request: Request) async throws(HTTPError) -> Response {
    let (app, caller) = try await caller(keys, request)
    guard caller.isMaster else { throw HTTPError.unauthorized }
    try await objects.write(app, as: .master, requestID: keys.requestID) { writer in
      guard try writer.database.remove(file: name, of: app.id) else {
        throw ObjectError(153, "There is no file \(name.prefix(60)).")
      }
    }
    return Response(json: [:], fields: ParseDialect.cors).notStored()
  }
}

extension FileName.Fault {
  var refusal: ObjectError {
    switch self {
    case .empty: .fileName("Filename not provided.")
    case .tooLong: .fileName("Filename too long; \(AppsLimits.fileName) characters are accepted.")
    case .characters:
      .fileName(
        "Filename contains invalid characters; A-Z, a-z, 0-9 and _ are accepted, and behind the first one also spaces "
          + "and @ . ~ -")
    case .page: ObjectError(130, "File upload of extension html is disabled.")
    }
  }
}

extension EmbeddedFile.Fault {
  var words: String {
    switch self {
    case .base64: "base64 is no base64; a text of it is accepted."
    case .json: "The body is no JSON object with the member base64."
    case .tooLong: "Beside the file there are more than \(AppsLimits.fileDetailBytes) bytes."
    }
  }
}
