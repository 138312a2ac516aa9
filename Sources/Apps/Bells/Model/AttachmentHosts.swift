import Client
import Hub
import Settings
import Wire

/// Where files beside notifications may come from: by HTTPS from the public Internet, and by plain HTTP from what the
/// owner lists.
enum AttachmentHosts {
  static let option = Setting(
    "attachment_hosts", "HOST,HOST", fallback: "",
    help: "hosts whose files notifications may name by http://; all others by https:// alone"
  ) { value throws(SettingsError) in
    let isName: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
    for host in try Setting.list(value, of: "attachment_hosts") where !host.allSatisfy(isName) {
      throw SettingsError(
        "attachment_hosts: \"\(host)\"; names of hosts are accepted, such as pictures.example, without port and path.")
    }
  }

  /// True for an address that the hub fetches. A name may stand for an address inside, which is found out at the
  /// connection.
  static func allow(_ url: String, of hub: Hub) -> Bool {
    let plain = Set(((try? hub.options.list(option.name)) ?? []).map { $0.lowercased() })
    return (try? TargetAddress(url, longest: MediaLimits.addressBytes, listed: hub.reachable, plain: plain)) != nil
  }

  /// The attachments that name a file by plain HTTP of a host that is not listed. An address of HTTPS may be one that a
  /// device fetches by itself.
  static func faults(of content: JSON, _ hub: Hub) -> [FieldError] {
    let languages = (content["localized"]?.members ?? []).map { ("content.localized.\($0.name)", $0.value) }
    return ([("content", content)] + languages).flatMap { path, content in
      (content["attachments"]?.array ?? []).enumerated().compactMap { index, one in
        guard let url = one["url"]?.string, url.hasPrefix("http://"), !allow(url, of: hub) else { return nil }
        return FieldError(
          "\(path).attachments[\(index)].url",
          "\(url.prefix(100)); https:// is accepted, and http:// from hosts that the owner lists (\(option.name), "
            + "reachable_networks).")
      }
    }
  }
}
