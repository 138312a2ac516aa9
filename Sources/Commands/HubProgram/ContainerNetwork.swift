import Glibc
import Lifecycle

/// Whether this is a container with a network of its own, which is what Docker and Podman make by default: others come
/// in by a port of the machine around it, and an address that the hub has inside leads them nowhere.
package enum ContainerNetwork {
  /// `root` stands for "/" in tests.
  package static func isApart(root: String = "") -> Bool {
    // The one is Docker's mark, the other Podman's.
    guard ["/.dockerenv", "/run/.containerenv"].contains(where: { access(root + $0, F_OK) == 0 }) else { return false }
    let cards = "\(root)/sys/class/net"
    return !(namesInFolder(cards) ?? []).contains { $0 != "lo" && isMachines("\(cards)/\($0)") }
  }

  /// True for a network card of the machine, which a container sees only in the machine's own network. The end of a
  /// virtual cable names the other end (`iflink`, Linux, Documentation/ABI/testing/sysfs-class-net), and a program's
  /// tunnel, as Podman uses it without root, has flags.
  private static func isMachines(_ card: String) -> Bool {
    guard let number = line("\(card)/ifindex") else { return false }
    return line("\(card)/iflink") == number && access("\(card)/tun_flags", F_OK) != 0
  }

  private static func line(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 32)
    return fgets(&line, Int32(line.count), file).map { String(cString: $0) }
  }
}
