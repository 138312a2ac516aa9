public import Notifications
import Wire

/// The device's place, for requests that wait for one: a file `position.json` in its folder, with
/// `{"latitude": 54.32, "longitude": 10.14, "accuracy": 12}`, which a receiver's program writes elsewhere and moves
/// there. Degrees and metres.
public final class DevicePosition {
  public enum Look: Equatable {
    case unchanged
    case at(Fix)
    /// The file is of no use, with the reason; the earlier place stands.
    case refused(String)
  }

  public static let file = "position.json"

  private let folder: StateFolder
  private var bytes: [UInt8]?
  /// The place that was read last.
  public private(set) var last: Fix?

  public init(_ folder: StateFolder) { self.folder = folder }

  /// Reads the file if it has changed.
  public func look() -> Look {
    guard let now = folder.read(Self.file, atMost: DeviceLimits.positionBytes), now != bytes else { return .unchanged }
    bytes = now
    let look = Self.read(now)
    if case .at(let fix) = look { last = fix }
    return look
  }

  package static func read(_ bytes: [UInt8]) -> Look {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      return .refused("line \(error.line), column \(error.column): \(error.message); JSON is accepted.")
    }
    func seen(_ name: String) -> String { String((json[name]?.text ?? "nothing").prefix(40)) }
    func refused(_ name: String, _ accepted: String) -> Look {
      .refused("\(name): \(seen(name)); \(accepted) is accepted.")
    }
    guard let latitude = json["latitude"]?.number, (-90...90).contains(latitude) else {
      return refused("latitude", "a number from -90 to 90")
    }
    guard let longitude = json["longitude"]?.number, (-180...180).contains(longitude) else {
      return refused("longitude", "a number from -180 to 180")
    }
    let accuracy = json["accuracy"] == nil ? 0 : json["accuracy"]?.number
    guard let accuracy, (0...1_000_000).contains(accuracy) else {
      return refused("accuracy", "a number of metres from 0 to 1000000")
    }
    return .at(Fix(latitude: latitude, longitude: longitude, accuracy: accuracy))
  }
}
