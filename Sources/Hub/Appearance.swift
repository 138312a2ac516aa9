import Server
import Synchronization
import Wire

/// The hub's name, colour and icon, as its people see them.
public struct Appearance: Equatable, Sendable {
  /// A picture for the hub's icon, such as on a phone's home screen.
  public struct Icon: Equatable, Sendable {
    public var address: String
    public var type: String
    /// As in a web app manifest, such as "512x512"; "any" for a drawing.
    public var sizes: String
    public init(address: String, type: String, sizes: String) {
      self.address = address
      self.type = type
      self.sizes = sizes
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

  /// The source of the appearance: a room registers its function once, which is then called whenever it is needed.
  public final class Source: Sendable {
    private let ask = Mutex<(@Sendable () async -> Appearance)?>(nil)
    public init() {}

    public func set(_ answer: @escaping @Sendable () async -> Appearance) { ask.withLock { $0 = answer } }

    func now() async -> Appearance { await ask.withLock { $0 }?() ?? Appearance() }
  }

  /// The web app manifest. It includes the owner's colour as a member of our own, which pages read and browsers ignore.
  /// - Parameter about: the front room's purpose, in a line.
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
      // Otherwise browsers would prefer our own maskable icon.
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
  /// Serves the web app manifest, which depends on the owner's settings.
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
