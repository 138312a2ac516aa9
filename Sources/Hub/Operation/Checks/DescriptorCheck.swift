import Glibc

/// The check of the number of files and connections that Linux permits to a process.
package enum DescriptorCheck {
  /// - Parameter wanted: the number that a hub requests when it starts.
  package static func findings(wanted: Int) -> [Finding] {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return [] }
    return findings(limit: Int(clamping: limit.rlim_max), wanted: wanted)
  }

  package static func findings(limit: Int, wanted: Int) -> [Finding] {
    if limit >= wanted { return [.ok("descriptors", "up to \(wanted) connections and files at once")] }
    let remedy =
      "Each open page is one. With systemd, LimitNOFILE=65536 in the unit; else, as root, `ulimit -Hn \(wanted)`."
    let text = "at most \(limit) connections and files at once; a hub would use up to \(wanted)"
    return [
      limit < CheckLimits.descriptors
        ? .problem("descriptors", text, remedy: remedy) : .warning("descriptors", text, remedy: remedy)
    ]
  }
}
