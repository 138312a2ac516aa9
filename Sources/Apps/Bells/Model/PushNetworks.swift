import Hub
import Mail
import Settings
import Wire

/// The networks with browsers' push services besides the public Internet. `reachable_networks` is not for them: anybody
/// may name such an address, also without having signed in, and the hub then posts there.
enum PushNetworks {
  static let option = Setting(
    "push_networks", "CIDR,CIDR", fallback: "",
    help: "networks with browsers' push services that are not on the public Internet"
  ) { value throws(SettingsError) in
    _ = try PushNetworks.ranges(value)
  }

  /// Those of the owner's settings, which were checked at the start.
  static func of(_ hub: Hub) -> [AddressRange] { (try? ranges(hub.options[option.name])) ?? [] }

  /// The address by which the operators of push services find the hub's owner; nil without one.
  static func contact(of hub: Hub) -> String? {
    if let url = hub.publicURL, url.hasPrefix("https:") { return url }
    return MailAddress(hub.options[Mailing.from.name]).map { "mailto:\($0.text)" }
  }

  private static func ranges(_ value: String) throws(SettingsError) -> [AddressRange] {
    var ranges: [AddressRange] = []
    for text in try Setting.list(value, of: "push_networks") {
      do throws(AddressRangeError) {
        ranges.append(try AddressRange(text))
      } catch {
        throw SettingsError("push_networks: \(error.message)")
      }
    }
    return ranges
  }
}
