import Glibc
import Lifecycle

/// Tells a container with a network of its own, as Docker and Podman make it by default: others come in by a port of
/// the machine around it, and an address that the hub has inside leads them nowhere.
package enum ContainerNetwork {
  /// Docker leaves a file, and Podman says it in a variable.
  package static func isApart() -> Bool {
    isApart(variable: getenv("container").map { String(cString: $0) }, root: "")
  }

  /// - Parameters:
  ///   - variable: the value of `container`.
  ///   - root: stands for "/" in tests.
  package static func isApart(variable: String?, root: String) -> Bool {
    guard variable == "podman" || access("\(root)/.dockerenv", F_OK) == 0 else { return false }
    let cards = "\(root)/sys/class/net"
    return !(namesInFolder(cards) ?? []).contains { isMachines("\(cards)/\($0)") }
  }

  /// True for a network card of the machine, which a container sees only in the machine's own network: Linux keeps it
  /// with the bus that it is at, and the end of a virtual cable or tunnel in a folder `virtual`.
  private static func isMachines(_ card: String) -> Bool {
    var place = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(card, &place, place.count)
    guard length > 0 else { return false }
    return !String(decoding: place.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self).contains("/virtual/")
  }
}
