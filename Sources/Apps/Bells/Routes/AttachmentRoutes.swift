import Crypto
import Delivery
import Hub
import Server
import Store
import Wire

/// Files for notifications: sent before the notification that names them, and fetched by the devices that show it.
struct AttachmentRoutes: Sendable {
  let hub: Hub

  static let path = "/api/v1/bells/attachments"

  func add(to router: inout Router) {
    router.on(.post, Self.path, bodyLimit: BellsLimits.attachmentBytes, admit: hub.needs(.enter), .streaming(save))
    // Service workers and agents fetch it without a session; its name is the secret.
    router.on(.get, "\(Self.path)/{name}", .task(file))
  }

  private func file(_ request: Request) async throws(HTTPError) -> Response {
    let name = request.parameters["name"] ?? ""
    let found = try await hub.stored { [hub] () throws(StoreError) in
      (
        try await hub.store.read { database throws(StoreError) in try database.attachment(name) },
        try await hub.store.blobs.content(of: KeptAttachment.blob(name))
      )
    }
    guard let kept = found.0, let content = found.1 else {
      throw HTTPError(
        .noSuchAttachment, "There is no attachment \"\(name.prefix(40))\".",
        help: "They are kept as long as the notifications that name them.")
    }
    return Response(
      contentType: kept.type, body: Response.Body(content), etag: String(content.digest.hex.prefix(16)),
      fields: [
        Response.Field("Accept-Ranges", "bytes"),
        Response.Field("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
      ])
  }

  private func save(_ request: Request, _ body: RequestBody) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    return try await Self.take(body, hint: request.head.fields["content-type"], of: hub) {
      [hub] blob, type async throws(HTTPError) in
      try await hub.commit(once: request, content: blob.digest.bytes, as: principal) { change in
        Response(status: 201, json: try KeptAttachment.keep(blob, type: type, in: change).told)
      }
    }
  }

  /// Takes a file to its end, and has it kept.
  /// - Parameters:
  ///   - begun: what was read of it.
  ///   - hint: its type, as the sender says.
  /// - Throws: 415 for a file of no accepted type, or too large for its type.
  static func take<T>(
    _ body: RequestBody, after begun: [UInt8] = [], hint: String?, of hub: Hub,
    keep: (Blob, _ type: String) async throws(HTTPError) -> T
  ) async throws(HTTPError) -> T {
    let upload = hub.store.blobs.upload(limit: BellsLimits.attachmentBytes)
    do throws(HTTPError) {
      var (prefix, next): ([UInt8], [UInt8]?) = ([], begun)
      while let piece = next {
        prefix += piece.prefix(max(0, AttachmentType.prefix - prefix.count))
        try await hub.stored { () throws(StoreError) in try await upload.append(piece) }
        next = try await body.next()
      }
      let blob = try await hub.stored { () throws(StoreError) in try await upload.finish() }
      return try await keep(blob, try AttachmentType.name(of: prefix, size: blob.size, hint: hint))
    } catch {
      await upload.cancel()
      throw error
    }
  }
}

extension KeptAttachment {
  /// Keeps a file of the change's caller for a notification that is to name it.
  /// - Throws: 409 if the caller, or all together, keep too much that cannot go yet.
  static func keep(_ blob: Blob, type: String, in change: Change) throws -> KeptAttachment {
    let sender = change.principal.caller
    let hasRoom = try change.database.makeRoom(
      forAttachment: blob.size, of: sender, until: .greatestFiniteMagnitude, now: change.now)
    guard hasRoom else {
      let used = try change.database.attachmentBytes(of: sender)
      throw HTTPError(
        .tooManyAttachments, "\(used.sender) bytes of attachments are yours, \(used.all) are there in all.",
        help: "One may keep \(BellsLimits.attachmentsOfOne) bytes. The oldest go, but none that waits to be sent.")
    }
    let kept = KeptAttachment(name: Digest.hex(Digest.random(16)), type: type, size: blob.size)
    try change.database.save(kept, of: blob, sender: sender, until: change.now + BellsLimits.attachmentWaits)
    return kept
  }

  /// Keeps the picture of a room's bell, whose bytes are not copied.
  /// - Parameter until: when the notification is over, in seconds since 1970.
  /// - Returns: nil if it is gone, or if too much is kept: the bell rings without it.
  static func keep(
    _ picture: Bell.Picture, of sender: String, until: Double, in change: Change
  ) throws(StoreError) -> KeptAttachment? {
    let end = until + BellsLimits.attachmentOutlasts
    guard try change.database.makeRoom(forAttachment: picture.size, of: sender, until: end, now: change.now),
      let digest = try change.database.digest(of: picture.blob)
    else { return nil }
    let kept = KeptAttachment(name: Digest.hex(Digest.random(16)), type: picture.type, size: picture.size)
    try change.database.name(digest, as: kept.blob)
    try change.database.save(kept, sender: sender, until: end)
    return kept
  }

  var url: String { "\(AttachmentRoutes.path)/\(name)" }

  /// As it is told to whoever has sent it, or asked for it.
  var told: JSON { ["blob": .string(name), "type": .string(type), "size": .int(size), "url": .string(url)] }

  /// As a picture in a content, with an address that each channel can hand on.
  var json: JSON { ["id": "picture", "url": .string(url), "type": .string(type)] }
}

extension BellSender {
  /// Keeps the files that a content names as long as its notification. Those that it names as blobs get their address
  /// instead, which each channel can hand on, and the types that the content does not say.
  /// - Parameter until: when the notification is over, in seconds since 1970.
  /// - Throws: 400 if it names a file that is not there, or one that would not be fetched.
  func keepAttachments(_ content: JSON, until: Double, in change: Change) throws -> JSON {
    var (kept, errors): ([JSON], [FieldError]) = ([], AttachmentHosts.faults(of: content, hub))
    for (index, one) in (content["attachments"]?.array ?? []).enumerated() {
      guard let name = Self.attachment(one), var members = one.members else {
        kept.append(one)
        continue
      }
      guard let found = try change.database.attachment(name) else {
        errors.append(
          FieldError(
            "content.attachments[\(index)].\(one["blob"] == nil ? "url" : "blob")",
            "there is no such file; POST \(AttachmentRoutes.path) takes one."))
        continue
      }
      try change.database.keep(attachment: name, until: until + BellsLimits.attachmentOutlasts)
      if one["blob"] != nil {
        members.removeAll { $0.name == "blob" }
        members.append(.init("url", .string("\(AttachmentRoutes.path)/\(name)")))
        if one["type"] == nil { members.append(.init("type", .string(found.type))) }
      }
      kept.append(.object(members))
    }
    guard errors.isEmpty else { throw FieldErrors(errors).refusal(help: Sending.help) }
    if kept.isEmpty { return content }
    return .object((content.members ?? []).map { $0.name == "attachments" ? .init($0.name, .array(kept)) : $0 })
  }

  /// The name of a file of the hub, if an attachment is one.
  fileprivate static func attachment(_ one: JSON) -> String? {
    if let name = one["blob"]?.string { return name }
    let folder = AttachmentRoutes.path + "/"
    guard let url = one["url"]?.string, url.hasPrefix(folder) else { return nil }
    return String(url.dropFirst(folder.count))
  }
}

extension Database {
  /// Keeps the files of a notification that has waited and was sent just now as long as that.
  func keepAttachments(ofSent id: Int, now: Double) throws(StoreError) {
    guard let sent = try notification(id), let content = try? JSON(parsing: sent.content) else { return }
    for one in content["attachments"]?.array ?? [] {
      guard let name = BellSender.attachment(one) else { continue }
      try keep(attachment: name, until: (sent.expiresAt ?? now) + BellsLimits.attachmentOutlasts)
    }
  }
}
