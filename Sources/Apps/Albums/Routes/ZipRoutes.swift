import CivilTime
import Crypto
import Hub
import Receiving
import Server
import Store
import Wire
import Zip

/// All or chosen originals as one file: of known length, so that a download can be resumed. The list is fixed when it
/// begins; a part is sent only of the same list (If-Range).
struct ZipRoutes: Sendable {
  private let services: AlbumServices
  private let gate = RequestGate(
    UploadLimits.zips, each: UploadLimits.zipsOfHost, refusal: .tooManyDownloads)
  private var hub: Hub { services.hub }

  init(_ services: AlbumServices) { self.services = services }

  func add(to router: inout Router) {
    router.on(.get, "\(AlbumRoutes.path)/{id}/zip", admit: services.access.admitsHosts, .task(send))
  }

  private func send(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await services.access.host(request)
    let place = try gate.enter(for: caller.principal.caller)
    let list = try await list(request, of: caller.album.id)
    let (originals, zip, hub) = (list.originals, list.zip, hub)
    let stream = ResponseStream(length: zip.length, memory: zip.entries.count * UploadLimits.zipEntryBytes) {
      range, writer async throws(StreamFault) in
      defer { withExtendedLifetime(place) {} }
      for piece in zip.pieces(of: range) {
        switch piece {
        case .bytes(let bytes): try await writer.write(bytes)
        case .content(let entry, let part): try await Self.write(originals[entry], part, of: hub, to: writer)
        }
      }
    }
    return Response(
      contentType: "application/zip", body: .stream(stream), etag: list.tag,
      cacheControl: "private, no-cache",
      fields: [.attachment(ZipNames.safe("\(caller.album.name).zip")), Response.Field("Accept-Ranges", "bytes")])
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

  /// All of a zip's names and headers. There may be tens of thousands, so they are made where the store is read.
  private struct List: Sendable {
    let originals: [KeptOriginal]
    let zip: StoredZip
    let tag: String

    init(_ originals: [KeptOriginal], in zone: Zone) {
      self.originals = originals
      zip = StoredZip(
        originals.map { original in
          ZipEntry(
            name: OriginalName.name(of: original, in: zone), size: original.size, crc32: original.crc32,
            modified: OriginalName.time(original, in: zone))
        })
      tag = ZipRoutes.tag(of: zip, originals)
    }
  }

  private func list(_ request: Request, of album: Int) async throws(HTTPError) -> List {
    let chosen = request.query["pictures"].map { $0.split(separator: ",").map(String.init) }
    let until = request.query["until"]
    for id in (chosen ?? []) + (until.map { [$0] } ?? []) where !RandomID.accepts(id) {
      throw HTTPError(
        .invalidQuery, "\"\(id.prefix(40))\" is no picture's id.", help: "Example: zip?pictures=ID,ID or zip?until=ID")
    }
    let zone = hub.place.zone
    let found = try await services.hub.read { database throws(StoreError) -> List? in
      guard let chosen else {
        let all = try database.originals(of: album)
        guard let until, let last = all.firstIndex(where: { $0.address == until }) else { return List(all, in: zone) }
        return List(Array(all[...last]), in: zone)
      }
      var all: [KeptOriginal] = []
      for id in chosen {
        // One of many may have been removed since it was chosen.
        if let original = try database.original(id, of: album) { all.append(original) }
        if id == until { break }
      }
      return all.isEmpty ? nil : List(all, in: zone)
    }
    guard let found else { throw HTTPError.noSuchPicture }
    return found
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
