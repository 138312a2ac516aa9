import CWebFiles
public import Server
import Synchronization
import Wire

/// Serves the pages: files that bin/pack-web compressed into the program.
public enum WebShell {
  /// Only scripts that we serve run in our pages. 'wasm-unsafe-eval' lets the rules' WebAssembly compile; a logo may
  /// come from the club's own site, and what is attached to a notification from its sender's. A file that a page has
  /// decrypted is a blob: of its own.
  static let policy = Policy(
    beforeSockets: "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
      + "img-src 'self' https: http: data: blob:; media-src 'self' https: blob:; connect-src 'self'",
    behindSockets: "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'; frame-src ")

  /// Over HTTPS, tells browsers not to use plain HTTP for half a year (RFC 6797). Only on the default port: the name
  /// may be shared with other services, and this applies to all ports.
  private static func transportSecurity(_ request: Request) -> Response.Field? {
    guard request.isSecure, let host = request.host, Party.parts(host).port.isEmpty else { return nil }
    return Response.Field("Strict-Transport-Security", "max-age=15768000")
  }

  /// Windows of other sites have no access to ours. Only sent to trustworthy origins, since browsers log a warning
  /// elsewhere.
  private static let openerPolicy = Response.Field("Cross-Origin-Opener-Policy", "same-origin")

  /// A Content-Security-Policy with sockets to this hub, which 'self' does not include in some browsers.
  struct Policy: Sendable {
    let beforeSockets: String
    let behindSockets: String

    /// - Parameter showsFrames: true for a page with frames, which then show documents of this hub, wherever they may
    ///   try to go.
    func field(for request: Request, showsFrames: Bool) -> Response.Field {
      let host = request.host ?? ""
      // Such characters have no meaning of their own in a policy.
      let isPlain = !host.isEmpty && host.isAlphanumeric(or: ".-:[]")
      return Response.Field(
        "Content-Security-Policy",
        beforeSockets + (isPlain ? " ws://\(host) wss://\(host)" : "") + behindSockets
          + (showsFrames ? "'self'" : "'none'"))
    }
  }

  /// Serves the pages of the hub and of its rooms that are on, and the front room's at "/".
  /// - Parameter isDemo: true to serve the style guide too.
  public static func addRoutes(to router: inout Router, of hub: Hub, isDemo: Bool = false) {
    let off = hub.roomsOff
    let pages = Dictionary(uniqueKeysWithValues: hub.roomPages.map { ($0.id, file(at: $0.path, of: hub)) })
    let framing = framing(hub)
    router.on(
      .get, "/",
      .immediate { request throws(HTTPError) in
        guard let page = pages[hub.roomChoice.front] else {
          throw HTTPError(.noSuchPage, "No room has a page.", help: "The API is described at /api/openapi.yaml.")
        }
        return page.response(to: request)
      })
    for index in 0..<webfiles_count {
      let file = File(webfiles[index], of: hub, without: off, framing: framing)
      guard isDemo || !file.path.hasPrefix("/styleguide"), file.path != Hub.touchIcon else { continue }
      guard !off.contains(where: { file.path == "/\($0)" || file.path.hasPrefix("/\($0)/") }) else { continue }
      router.on(.get, file.path, .immediate { request throws(HTTPError) in file.response(to: request) })
      if file.path == "/missing" { addSignpost(file, to: &router) }
    }
    addSettings(of: hub, to: &router)
  }

  /// Serves the owner's form once more for each room with a part of it. bin/pack-web refuses rooms whose id is that of
  /// another page of the settings.
  private static func addSettings(of hub: Hub, to router: inout Router) {
    for room in hub.roomPages where room.hasSettings {
      addPage(
        "/settings/\(room.id)", showing: "/settings/place", of: hub, to: &router, with: [.byLanguage]
      ) { [hub] request in
        let (name, site) = (request.isGerman ? room.german.name : room.name, hub.place.current?.name ?? "Eightbells")
        return request.isGerman
          ? PagePreview(
            title: "\(name) · Einstellungen", description: "Was die Leitung für \(name) einstellen kann.", site: site)
          : PagePreview(title: "\(name) · Settings", description: "What owners can set for \(name).", site: site)
      }
    }
  }

  /// A handler that answers with one of the files, for addresses without a page.
  static func answer(_ path: String) -> @Sendable (Request) -> Response {
    let file = file(at: path, of: nil)
    return { file.response(to: $0) }
  }

  /// Serves one of the pages at further addresses, such as "/people/{id}", each with its own metadata in the head,
  /// which is all that link previews read.
  /// - Parameter fields: further ones of the answer.
  public static func addPage(
    _ path: String, showing page: String, of hub: Hub, to router: inout Router, with fields: [Response.Field] = [],
    _ preview: @escaping @Sendable (Request) async -> PagePreview?
  ) {
    let file = file(at: page, of: hub)
    router.on(
      .get, path, rate: .questions,
      .task { request throws(HTTPError) in
        var response = file.response(to: request, preview: await preview(request))
        response.fields += fields
        return response
      })
  }

  private static func file(at path: String, of hub: Hub?) -> File {
    guard let index = index(ofFile: path) else { preconditionFailure("There is no page \(path)") }
    return File(webfiles[index], of: hub, without: hub?.roomsOff ?? [], framing: hub.map(framing) ?? [])
  }

  static func index(ofFile path: String) -> Int? {
    (0..<webfiles_count).first { String(cString: webfiles[$0].path) == path }
  }

  /// The pages with frames; on the screen in the room, rooms may show one of their other pages.
  private static func framing(_ hub: Hub) -> [String] {
    ["/screen"] + hub.roomList.plans.filter(\.showsFrames).map { "/\($0.id)" }
  }

  /// The content of a packed file; nil if there is none at this address.
  public static func bytes(ofFile path: String) -> [UInt8]? {
    index(ofFile: path).flatMap { index in
      let file = webfiles[index]
      return Gzip.decompress(UnsafeBufferPointer(start: file.bytes, count: file.count), count: file.plain_count)
    }
  }

  /// Browsers get a page about a missing address; programs get JSON.
  private static func addSignpost(_ file: File, to router: inout Router) {
    router.otherwise(
      .immediate { request throws(HTTPError) in
        let path = request.head.path
        guard !path.hasPrefix("/api/"), request.head.fields["accept"]?.contains("text/html") == true else {
          throw HTTPError(
            .noSuchPage, "There is nothing at \(path).", help: "The API is described at /api/openapi.yaml.")
        }
        if let page = withoutSlash(request.head) { return .moved(to: page) }
        var response = file.response(to: request)
        response.status = 404
        response.etag = nil
        return response
      })
  }

  /// The address without a slash at its end, which people type and which no page has; nil if there is none. Never one
  /// that begins with two slashes: that would be another server.
  private static func withoutSlash(_ head: RequestHead) -> String? {
    let path = head.path
    guard path.hasSuffix("/"), path.count > 1, !path.contains("//"), !path.contains("\\") else { return nil }
    return String(path.dropLast()) + (head.query.map { "?\($0)" } ?? "")
  }

  private struct File: Sendable {
    let path: String
    private let etag: String
    private let compressed: Response.FixedBytes
    private let plainCount: Int
    private let contentType: String
    /// What is served instead if the file names rooms that are switched off.
    private let instead: Made?
    private let showsFrames: Bool
    private let hub: Hub?
    private let variant = Variant()

    /// The page while the owner's choice hides rooms, made anew when the choice changes.
    private final class Variant: Sendable {
      let page = Mutex<(shown: [String], page: Made)?>(nil)
    }

    /// Content that is made of the file's.
    private struct Made: Sendable {
      let bytes: [UInt8]
      let compressed: [UInt8]
      let etag: String

      init(_ text: String) {
        bytes = Array(text.utf8)
        compressed = Gzip.compress(bytes)
        etag = Response.etag(of: bytes)
      }
    }

    init(_ file: webfiles_file, of hub: Hub?, without off: [String], framing: [String]) {
      self.hub = hub
      path = String(cString: file.path)
      showsFrames = framing.contains(path)
      compressed = Response.FixedBytes(UnsafeBufferPointer(start: file.bytes, count: file.count))
      plainCount = file.plain_count
      contentType = Self.contentType(of: path)
      let namesRooms = contentType.hasPrefix("text/html") || path == "/sw.js"
      instead =
        off.isEmpty || !namesRooms
        ? nil
        : Gzip.decompress(compressed.bytes, count: plainCount).map { plain in
          Made(RoomPage.without(off, String(decoding: plain, as: UTF8.self)))
        }
      etag = String(cString: file.etag)
    }

    /// True for a service worker: the hub's, or one of a room's page of its own.
    private var isWorker: Bool { path == "/sw.js" || path.hasSuffix("/worker.js") }

    private var packed: [UInt8]? { instead?.bytes ?? Gzip.decompress(compressed.bytes, count: plainCount) }

    private var plain: [UInt8]? { chosen?.bytes ?? packed }

    /// The page with the rooms that are shown, if some are hidden.
    private var chosen: Made? {
      guard contentType.hasPrefix("text/html"), let shown = hub?.roomsIfSomeAreHidden else { return nil }
      return variant.page.withLock { variant in
        if variant?.shown != shown, let packed {
          variant = (shown, Made(RoomPage.showing(shown, String(decoding: packed, as: UTF8.self))))
        }
        return variant?.page
      }
    }

    func response(to request: Request) -> Response {
      var fields = [Response.Field("Vary", "Accept-Encoding")]
      // A page's policy applies to its scripts, but not to its service worker. The page loads sooner without.
      if contentType.hasPrefix("text/html") || isWorker {
        fields.append(policy.field(for: request, showsFrames: showsFrames))
      }
      if contentType.hasPrefix("text/html") {
        if request.isTrustworthy { fields.append(WebShell.openerPolicy) }
        if let field = WebShell.transportSecurity(request) { fields.append(field) }
      }
      let made = chosen ?? instead
      if request.head.acceptsGzip {
        fields.append(Response.Field("Content-Encoding", "gzip"))
        // Another coding of the same file is another representation with its own tag (RFC 9110 section 8.8.3). Not
        // with "-gzip", which Caddy takes away from If-None-Match where it compresses itself.
        return Response(
          contentType: contentType, body: made.map { .bytes($0.compressed) } ?? .fixed(compressed),
          etag: (made?.etag ?? etag) + "-gz", fields: fields)
      }
      if let made {
        return Response(contentType: contentType, body: .bytes(made.bytes), etag: made.etag, fields: fields)
      }
      return Response(
        contentType: contentType, body: .packed(PackedBytes(compressed, count: plainCount)), etag: etag,
        fields: fields)
    }

    /// The same page, with other metadata in its head.
    func response(to request: Request, preview: PagePreview?) -> Response {
      guard let preview, let plain else {
        return response(to: request)
      }
      let page = Array(preview.put(into: String(decoding: plain, as: UTF8.self)).utf8)
      var response = response(to: request)
      response.fields.removeAll { $0.name == "Content-Encoding" }
      response.body = .bytes(page)
      response.etag = Response.etag(of: page)
      return response
    }

    private static func contentType(of path: String) -> String {
      switch path.split(separator: ".").last.map(String.init) ?? "" {
      case "css": "text/css; charset=utf-8"
      case "js": "text/javascript; charset=utf-8"
      case "svg": "image/svg+xml"
      case "png": "image/png"
      case "webp": "image/webp"
      case "wasm": "application/wasm"
      case "webmanifest": "application/manifest+json"
      case "yaml": "application/yaml"
      default: "text/html; charset=utf-8"
      }
    }
  }
}
