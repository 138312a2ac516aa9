import CivilTime
import Device
import Glibc
import Lifecycle
import Notifications
import Wire

/// The zone that the machine's clock shows, and the times at which its requests fire.
struct DeviceZone {
  let name: String
  private let zone: Zone

  init() {
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

  /// When a request fires next.
  func plan(_ json: JSON, after moment: Double, since: Double) -> PendingRequests.Plan {
    let request: Request
    switch Request.check(json.bytes) {
    case .success(let checked): request = checked
    case .failure(let refusal):
      return .refused(
        refusal.faults.map { ($0.field.isEmpty ? "" : "\($0.field): ") + $0.sentence }.joined(separator: " "))
    }
    // Without a trigger, at once.
    guard let trigger = request.trigger else { return moment <= since ? .at(since) : .never }
    if case .location = trigger {
      return .refused("trigger.type: location; interval and calendar are accepted where there is no position.")
    }
    guard let zone = zone(of: trigger) else {
      return .refused("trigger.zone: unknown; a name of this system is accepted, such as Europe/Berlin.")
    }
    let next = trigger.next(
      after: EpochSeconds(moment.rounded(.down)), added: EpochSeconds(since.rounded(.down)), in: zone)
    return next.map { .at(Double($0)) } ?? .never
  }

  /// The zone that the trigger names, or the machine's; nil for a name that nobody knows.
  private func zone(of trigger: Trigger) -> Zone? {
    guard case .calendar(_, let name?, _) = trigger else { return zone }
    return try? systemZone(name.text)
  }
}
