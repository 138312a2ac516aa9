import Server
public import Store
import Synchronization
import Wire

/// How the hub looks to its people.
public struct Appearance: Equatable, Sendable {
  /// A picture that stands for the hub, such as on a phone's home screen.
  public struct Icon: Equatable, Sendable {
    public var address: String
    public var type: String
    /// As a manifest names them, such as "512x512"; "any" for a drawing.
    public var sizes: String
    /// Where it is kept.
    public var blob: BlobName?
    public init(address: String, type: String, sizes: String, blob: BlobName? = nil) {
      self.address = address
      self.type = type
      self.sizes = sizes
      self.blob = blob
    }
  }

  public var name: String?
  /// As "#rrggbb".
  public var color: String?
  public var icon: Icon?

  public init(name: String? = nil, color: String? = nil, icon: Icon? = nil) {
    self.name = name
    self.color = color
    self.icon = icon
  }

  /// Who is asked for it: the room says it once, and answers from then on.
  public final class Source: Sendable {
    private let ask = Mutex<(@Sendable () async -> Appearance)?>(nil)
    public init() {}

    public func set(_ answer: @escaping @Sendable () async -> Appearance) { ask.withLock { $0 = answer } }

    func now() async -> Appearance { await ask.withLock { $0 }?() ?? Appearance() }
  }

  /// The web app manifest, and the colour by which pages find theirs: a member of our own that browsers pass over.
  /// - Parameter about: what the front room is for, in a line.
  func manifest(about: String) -> JSON {
    let name = name ?? "Eightbells"
    return [
      "id": "/", "name": .string(name), "short_name": .string(name),
      "description": .string(about), "start_url": "/", "scope": "/",
      "display": "standalone", "background_color": "#f4f1ea", "theme_color": .string(color ?? "#12283b"),
      "color": JSON(color), "categories": ["social", "events"], "icons": icons,
    ]
  }

  private var icons: JSON {
    if let icon {
      // Our own maskable one would be taken instead.
      return [Self.icon(icon.address, icon.sizes, icon.type, "any")]
    }
    return [
      Self.icon("/icon.svg", "any", "image/svg+xml", "any"), Self.icon("/icon-192.png", "192x192", "image/png", "any"),
      Self.icon("/icon-512.png", "512x512", "image/png", "any"),
      Self.icon("/icon-maskable-512.png", "512x512", "image/png", "maskable"),
    ]
  }

  private static func icon(_ address: String, _ sizes: String, _ type: String, _ purpose: String) -> JSON {
    ["src": .string(address), "sizes": .string(sizes), "type": .string(type), "purpose": .string(purpose)]
  }
}

extension Hub {
  /// Serves the web app manifest, which changes with what the owner says of the hub.
  func addManifest(to router: inout Router) {
    router.on(
      .get, "/manifest.webmanifest",
      .task { [self] request throws(HTTPError) in
        let bytes = await appearance.now().manifest(about: frontPage?.about ?? "").bytes
        return Response(
          contentType: "application/manifest+json", body: .bytes(bytes), etag: Response.etag(of: bytes))
      })
  }
}
