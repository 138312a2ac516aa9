import Foundation
import HubProgram
import Testing
import World

/// Tells containers and machines apart, in folders that stand for "/".
struct ContainerNetworkTests {
  private let folder = TemporaryFolder()

  /// - Parameter cards: where each is linked to, below /sys/devices.
  private func isApart(docker: Bool = false, variable: String? = nil, _ cards: [String]) throws -> Bool {
    let files = FileManager.default
    let root = URL(filePath: folder.path)
    let all = root.appending(path: "sys/class/net")
    try files.createDirectory(at: all, withIntermediateDirectories: true)
    for card in cards {
      let name = try #require(card.split(separator: "/").last)
      try files.createSymbolicLink(
        atPath: all.appending(path: String(name)).path(), withDestinationPath: "../../devices/\(card)")
    }
    if docker { try folder.write([], to: ".dockerenv") }
    return ContainerNetwork.isApart(variable: variable, root: folder.path)
  }

  @Test func `a machine is no container, whatever its cards`() throws {
    #expect(try !isApart(["virtual/net/lo", "pci0000:00/0000:00:03.0/virtio2/net/eth0"]))
  }

  @Test func `another kind of container may be in the network with everybody`() throws {
    #expect(try !isApart(variable: "lxc", ["virtual/net/lo", "virtual/net/eth0"]))
  }

  @Test func `Docker and Podman give a container the end of a cable, or of a tunnel`() throws {
    #expect(try isApart(docker: true, ["virtual/net/lo", "virtual/net/eth0"]))
    #expect(try isApart(variable: "podman", ["virtual/net/tap0"]))
  }

  @Test func `in the machine's own network the machine's cards are there`() throws {
    let cards = ["virtual/net/lo", "virtual/net/docker0", "pci0000:00/0000:00:03.0/virtio2/net/eth0"]
    #expect(try !isApart(docker: true, cards))
  }
}
