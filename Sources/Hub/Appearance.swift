import Server
public import Store
import Synchronization
import Wire

/// The hub's colour and icon, which one of its rooms provides.
public final class Appearance: Sendable {
  /// A picture for the hub's icon, such as on a phone's home screen.
  public struct Icon: Equatable, Sendable {
    public var address: String
    public var type: String
    /// As in a web app manifest, such as "512x512"; "any" for a drawing.
    public var sizes: String
    /// The blob with the picture, if the hub stores it.
    public var blob: BlobName?
    public init(address: String, type: String, sizes: String, blob: BlobName? = nil) {
      self.address = address
      self.type = type
      self.sizes = sizes
      self.blob = blob
    }
  }
  private struct Asked {
    var color: @Sendable () -> String? = { nil }
    var icon: @Sendable () async -> Icon? = { nil }
  }
  private let asked = Mutex(Asked())

  /// Registers a room's functions, which are called whenever they are needed.
  /// - Parameter color: as "#rrggbb".
  public func set(color: @escaping @Sendable () -> String?, icon: @escaping @Sendable () async -> Icon?) {
    asked.withLock { $0 = Asked(color: color, icon: icon) }
  }

  /// As "#rrggbb"; nil for the default.
  public var color: String? { asked.withLock { $0.color }() }
  var icon: Icon? { get async { await asked.withLock { $0.icon }() } }
}

/// The web app manifest.
struct Manifest {
  /// Nil until an owner has set it.
  var place: Place?
  var color: String?
  var icon: Appearance.Icon?
  /// The front room's purpose, in a line.
  var about: String

  /// The colour and the addresses at the foot of pages are members of our own, which browsers ignore.
  var json: JSON {
    let name = place?.name ?? "Eightbells"
    return [
      "id": "/", "name": .string(name), "short_name": .string(name),
      "description": .string(about), "start_url": "/", "scope": "/",
      "display": "standalone", "background_color": "#f4f1ea", "theme_color": .string(color ?? "#12283b"),
      "color": JSON(color), "legal_notice": JSON(place?.legalNotice), "privacy": JSON(place?.privacy),
      "categories": ["social", "events"], "icons": icons,
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
        let manifest = Manifest(
          place: place.current, color: appearance.color, icon: await appearance.icon, about: frontPage?.about ?? "")
        let bytes = manifest.json.bytes
        return Response(
          contentType: "application/manifest+json", body: .bytes(bytes), etag: Response.etag(of: bytes))
      })
  }
}
