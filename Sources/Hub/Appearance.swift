public import Store
import Synchronization

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
