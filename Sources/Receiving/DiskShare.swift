public import Hub
public import Server
public import Settings

/// A share of the disk that the hub's owner gives, in gigabytes.
public enum DiskShare {
  /// An option for a share.
  /// - Parameter purpose: such as "for the originals of one album".
  public static func option(_ name: String, fallback: String, _ purpose: String) -> Setting {
    Setting(name, "GIGABYTES", fallback: fallback, help: "room \(purpose)") { value throws(SettingsError) in
      guard let number = Double(value), number > 0, number <= 1_000_000 else {
        throw SettingsError("\(name): \"\(value)\"; gigabytes above 0, up to 1000000, are accepted.")
      }
    }
  }

  /// The bytes of an option's value.
  public static func bytes(_ value: String) -> Int { Int((Double(value) ?? 0) * 1_000_000_000) }

  /// A number of bytes for people: "1.2 GB".
  public static func words(_ bytes: Int) -> String {
    let tenths = bytes / 100_000_000
    return bytes < 1_000_000_000 ? "\((bytes + 999_999) / 1_000_000) MB" : "\(tenths / 10).\(tenths % 10) GB"
  }

  /// Bytes that are free on the disk of pictures, without those that stay free. None while the disk of the records, if
  /// that is another one, is nearly full: they grow with each picture.
  public static func free(_ hub: Hub) -> Int {
    hub.freeBytes < CheckLimits.freeBytesWarning ? 0 : max(0, hub.freeBytesForBlobs - ReceivingLimits.diskReserve)
  }

  /// - Throws: 507 with the room's code if the disk would be nearly full afterwards.
  public static func demandDisk(_ bytes: Int, of hub: Hub, _ code: ErrorCode) throws(HTTPError) {
    let left = free(hub)
    guard bytes <= left else {
      throw HTTPError(
        code, "The hub's disk is nearly full: \(words(left)) are left for pictures.",
        help: "Your pictures stay on your device, and you can send them later. The owner of the hub has to make room.")
    }
  }
}
