public import CivilTime
import Glibc

/// The zone that the machine's clock shows.
public struct MachineZone: Sendable {
  /// Its IANA name; "UTC" if the machine names none that is known.
  public let name: String
  public let zone: Zone

  public init() {
    let known = Self.names().lazy.compactMap { name in (try? systemZone(name)).map { (name, $0) } }.first
    (name, zone) = known ?? ("UTC", .utc)
  }

  /// The names that the machine has for it: TZ (tzset(3)), where /etc/localtime leads to, and Debian's /etc/timezone.
  private static func names() -> [String] {
    var names: [String] = []
    if let name = getenv("TZ") { names.append(String(String(cString: name).drop { $0 == ":" })) }
    if let path = realpath("/etc/localtime", nil) {
      defer { free(path) }
      let parts = String(cString: path).split(separator: "/")
      if let folder = parts.lastIndex(of: "zoneinfo") {
        names.append(parts[(folder + 1)...].joined(separator: "/"))
      }
    }
    let file = open("/etc/timezone", O_RDONLY | O_CLOEXEC)
    if file >= 0 {
      defer { close(file) }
      var line = [UInt8](repeating: 0, count: 128)
      let count = read(file, &line, line.count)
      names.append(String(decoding: line.prefix(max(0, count)), as: UTF8.self).filter { !$0.isWhitespace })
    }
    return names
  }
}
