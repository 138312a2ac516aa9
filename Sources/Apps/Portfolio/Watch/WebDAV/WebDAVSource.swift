import Client
import Crypto
import Galleries
import Hub
import Synchronization
import Wire

/// A folder at a WebDAV server (RFC 4918), with galleries as `FolderSource` has them.
final class WebDAVSource: GallerySource {
  private static let top = "."
  private let address: WebDAVAddress
  private let client: WebDAVClient
  /// The way in that the server has answered on.
  private let way = Mutex(0)

  init(_ text: String, _ credentials: SourceCredentials, _ hub: Hub) throws(SourceFault) {
    do {
      address = try WebDAVAddress(text, listed: hub.reachable)
    } catch {
      throw .denied(Reason(.webDAVAddress, ["words": .text(error.words)]))
    }
    client = WebDAVClient(
      hub.client.restricted(to: .publicInternet(and: hub.reachable), on: PortfolioWatch.loop), origin: address.origin,
      credentials)
  }

  private var base: WebDAVAddress.Way { address.ways[way.withLock { $0 }] }

  func galleries() async throws(SourceFault) -> [SourceGallery] {
    let entries = try await enter()
    var galleries: [SourceGallery] = []
    let isDeep = WebDAVAddress.hasDeepTags(base.path)
    if entries.contains(where: \.isPicture) {
      let title = base.path.split(separator: "/").last.flatMap { percentDecoded($0) } ?? address.host
      // The files here have just been listed: a change of one is a change of this list.
      let versions = entries.filter(\.isPicture).map { "\($0.name)\n\($0.version)\n" }.joined()
      let tag = Digest.hex(Digest.sha256(versions.utf8))
      galleries.append(SourceGallery(id: Self.top, title: base.user == nil ? title : address.host, tag: tag))
    }
    for folder in entries where folder.isFolder {
      galleries.append(
        SourceGallery(
          id: folder.name, title: String(folder.name.prefix(GalleryLimits.title)), tag: isDeep ? folder.etag : nil))
    }
    return galleries
  }

  /// Lists the folder itself, on the first way on which the server answers.
  private func enter() async throws(SourceFault) -> [FolderEntry] {
    while true {
      do throws(SourceFault) {
        return try await client.entries(of: base.path, user: base.user)
      } catch {
        let isLast = way.withLock { $0 + 1 >= address.ways.count }
        guard case .gone = error else { throw error }
        guard !isLast else { throw .unreachable(Reason(.webDAVAway)) }
        way.withLock { $0 += 1 }
      }
    }
  }

  func pictures(
    of gallery: SourceGallery, page: @Sendable (SourcePage) async throws(SourceFault) -> Void
  ) async throws(SourceFault) {
    guard gallery.id != Self.top else {
      let entries = try await client.entries(of: base.path, user: base.user)
      return try await page(SourcePage(entries.filter(\.isPicture).map { $0.picture(in: "") }))
    }
    var (folders, seen): ([(path: String, name: String, level: Int)], Set<String>) = ([], [])
    let start = base.path + percentEncoded(gallery.id) + "/"
    folders.append((start, gallery.id, 0))
    var (count, tooDeep) = (0, 0)
    while !folders.isEmpty {
      let folder = folders.removeFirst()
      guard folder.level < PortfolioLimits.depth else {
        tooDeep += 1
        continue
      }
      // A server whose folders contain each other is not followed in a circle.
      guard seen.insert(folder.path).inserted else { continue }
      let entries: [FolderEntry]
      do throws(SourceFault) {
        entries = try await client.entries(of: folder.path, user: base.user, isInner: true)
      } catch {
        guard case .gone = error else { throw error }
        throw .broken(Reason(.webDAVAway))
      }
      try await page(SourcePage(entries.filter(\.isPicture).map { $0.picture(in: folder.name) }))
      count += entries.count
      guard count <= GalleryLimits.pictures, seen.count <= GalleryLimits.galleries else {
        throw .broken(.tooMany(count, limit: GalleryLimits.pictures))
      }
      folders += entries.filter(\.isFolder).map { ($0.path, "\(folder.name)/\($0.name)", folder.level + 1) }
    }
    if let notice = Reason.tooDeep(tooDeep) { try await page(SourcePage([], notice: notice)) }
  }

  func fetch(_ picture: SourcePicture, into file: any PictureFile) async throws(SourceFault) {
    do throws(SourceFault) {
      try await client.fetch(picture.file, bytes: picture.bytes, user: base.user, into: file)
    } catch {
      // Nextcloud says the same of one file that it cannot open, for ever, as of itself while it is being looked after.
      guard case .later(seconds: nil, let reason) = error, reason.values["status"]?.int != 429 else { throw error }
      _ = try await client.entries(of: base.path, user: base.user)
      throw .broken(reason)
    }
  }
}

extension Reason.Kind {
  static let webDAVAddress = Self("portfolio-webdav-address", "its address cannot be used: {words}")
  static let webDAVAway = Self(
    "portfolio-webdav-away", "the server has no such folder; nothing is removed because of that")
}
