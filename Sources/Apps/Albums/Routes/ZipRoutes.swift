import CivilTime
import Crypto
import Hub
import Server
import Store
import Wire
import Zip

/// All or chosen originals as one file: of known length, so that a download can be resumed. The list is fixed when it
/// begins; a part is sent only of the same list (If-Range).
struct ZipRoutes: Sendable {
  private let services: AlbumServices
  private let gate = DownloadGate(UploadLimits.zips)
  private var hub: Hub { services.hub }

  init(_ services: AlbumServices) { self.services = services }

  func add(to router: inout Router) {
    router.on(
      .get, "\(AlbumRoutes.path)/{id}/zip", admit: services.access.admitsHosts,
      .task { request throws(HTTPError) in try await send(request) })
  }

  private func send(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await services.access.host(request)
    let originals = try await originals(request, of: caller.album.id)
    try gate.demandRoom()
    let zone = hub.place.zone
    let zip = StoredZip(
      originals.map { original in
        ZipEntry(
          name: OriginalName.name(of: original, in: zone), size: original.size, crc32: original.crc32,
          modified: OriginalName.time(original, in: zone))
      })
    let (gate, hub) = (gate, hub)
    let stream = ResponseStream(length: zip.length, memory: zip.entries.count * UploadLimits.zipEntryBytes) {
      range, writer async throws(StreamFault) in
      gate.enter()
      defer { gate.leave() }
      for piece in zip.pieces(of: range) {
        switch piece {
        case .bytes(let bytes): try await writer.write(bytes)
        case .content(let entry, let part): try await Self.write(originals[entry], part, of: hub, to: writer)
        }
      }
    }
    return Response(
      contentType: "application/zip", body: .stream(stream), etag: Self.tag(of: zip, originals),
      cacheControl: "private, no-cache",
      fields: [.attachment("\(caller.album.name).zip"), Response.Field("Accept-Ranges", "bytes")])
  }

  private static func write(
    _ original: KeptOriginal, _ part: Range<Int>, of hub: Hub, to writer: ResponseWriter
  ) async throws(StreamFault) {
    let found: BlobContent?
    do throws(StoreError) {
      found = try await hub.store.blobs.content(of: original.blob)
    } catch {
      throw .broken("an original cannot be read: \(error)")
    }
    // It was removed for good meanwhile, or never was what it is said to be.
    guard let found, found.size == original.size else { throw .broken("an original is missing") }
    switch found.body {
    case .bytes(let bytes): try await writer.write(Array(bytes[part]))
    case .file(let file):
      try await writer.write(OpenFile(file.descriptor, size: file.size, ownedBy: file), part)
    }
  }

  private func originals(_ request: Request, of album: Int) async throws(HTTPError) -> [KeptOriginal] {
    let chosen = request.query["pictures"].map { $0.split(separator: ",").map(String.init) }
    let until = request.query["until"]
    for id in (chosen ?? []) + (until.map { [$0] } ?? []) where !AlbumSecret.isID(id) {
      throw HTTPError(
        .invalidQuery, "\"\(id.prefix(40))\" is no picture's id.", help: "Example: zip?pictures=ID,ID or zip?until=ID")
    }
    let found = try await services.read { database throws(StoreError) -> [KeptOriginal?] in
      guard let chosen else { return try database.originals(of: album) }
      return try chosen.map { id throws(StoreError) in try database.original(id, of: album) }
    }
    let all = found.compactMap { $0 }
    guard all.count == found.count else { throw HTTPError.noSuchPicture }
    guard let until, let last = all.firstIndex(where: { $0.address == until }) else { return all }
    return Array(all[...last])
  }

  /// The same for the same pictures under the same names. Only hosts see it.
  private static func tag(of zip: StoredZip, _ originals: [KeptOriginal]) -> String {
    let digest = RunningDigest()
    for (name, original) in Swift.zip(zip.names, originals) {
      Array("\(original.address)/\(name)/".utf8).withUnsafeBytes { digest.update($0) }
    }
    return Digest.hex(digest.finish().prefix(12))
  }
}
