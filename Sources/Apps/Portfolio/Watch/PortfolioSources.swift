import Galleries
import Glibc
import Hub
import Server
import Settings
import Wire

/// The kinds of sources: the one place that makes them.
struct PortfolioSources: Sendable {
  private let hub: Hub
  let flickr: FlickrAccess

  /// - Parameter arguments: of a command, whose options count before the hub's.
  init(_ hub: Hub, _ arguments: Arguments? = nil) {
    self.hub = hub
    flickr = FlickrAccess(hub, arguments)
  }

  /// The source of a portfolio.
  /// - Throws: `.denied` if it cannot be had any more, such as a room that is off.
  func source(of portfolio: Portfolio) throws(SourceFault) -> any GallerySource {
    switch portfolio.source.kind {
    case .folder: return FolderSource(portfolio.source.of)
    case .webdav: return try WebDAVSource(portfolio.source.of, portfolio.credentials, hub)
    case .demo: return DemoSource(name: portfolio.source.of)
    case .uploads: return UploadsSource(hub)
    case .albums:
      guard let pictures = hub.offers[.pictures], let person = portfolio.person else {
        throw .denied(Reason(.sourceMissing, ["kind": .text(portfolio.source.kind.rawValue)]))
      }
      return AlbumsSource(pictures, of: person, hub)
    case .flickr: return try flickr.source(of: portfolio)
    }
  }

  /// The wish for a portfolio from what somebody has typed.
  /// - Throws: 400 for a source that cannot be one, with what is accepted.
  func wish(
    _ text: String, name: String?, _ credentials: SourceCredentials
  ) throws(HTTPError) -> PortfolioChange.Wish {
    guard text.utf8.count <= PortfolioLimits.source, let source = SourceName(text), source.kind != .demo else {
      throw Self.refusal("\"\(text.prefix(80))\" is no source")
    }
    let usual: String
    switch source.kind {
    case .folder:
      var status = stat()
      guard source.of.hasPrefix("/"), stat(source.of, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        let reason = Reason(.folderUnseen, ["path": .text(String(source.of.prefix(200)))])
        throw Self.refusal(reason.text, reason)
      }
      usual = String(source.of.split(separator: "/").last ?? "Portfolio")
    case .webdav:
      let address: WebDAVAddress
      do { address = try WebDAVAddress(source.of, listed: hub.reachable) } catch { throw Self.refusal(error.words) }
      usual = address.host
    case .albums:
      guard source.of.isEmpty, hub.offers[.pictures] != nil else {
        throw Self.refusal("albums: is for all albums that one is in, where the hub has albums")
      }
      usual = "Albums"
    case .uploads:
      guard source.of.isEmpty else {
        throw Self.refusal("uploads: has nothing behind it, since its galleries are made here")
      }
      usual = "My pictures"
    case .flickr, .demo: throw Self.refusal("\(source.kind.rawValue) is not offered by this hub")
    }
    return PortfolioChange.Wish(
      source: source, name: String((name ?? usual).prefix(RequestLimits.name)), credentials: credentials)
  }

  private static func refusal(_ words: String, _ reason: Reason? = nil) -> HTTPError {
    HTTPError(
      .sourceNotAccepted, "The source cannot be used: \(words).",
      help: "folder:PATH, webdav:URL, flickr:USER, albums: and uploads: are accepted, such as "
        + "webdav:https://cloud.example/s/TOKEN.", reason: reason)
  }
}

extension Reason.Kind {
  static let sourceMissing = Self("portfolio-source-missing", "this hub has no sources of the kind {kind} now")
}
