import Foundation
import HubProgram
import Testing
import World

/// Whether the hub takes an address of its own for one by which others find it, in folders that stand for "/".
struct ContainerNetworkTests {
  private let folder = TemporaryFolder()

  /// Each card with its number and that of the one at its other end, as Linux shows them.
  private func isApart(mark: String?, _ cards: [String: (Int, Int)], tunnel: String? = nil) throws -> Bool {
    for (name, (number, other)) in cards {
      try write("\(number)\n", "sys/class/net/\(name)/ifindex")
      try write("\(other)\n", "sys/class/net/\(name)/iflink")
    }
    if let tunnel { try write("0x1002\n", "sys/class/net/\(tunnel)/tun_flags") }
    if let mark { try write("", mark) }
    return ContainerNetwork.isApart(root: folder.path)
  }

  private func write(_ text: String, _ name: String) throws {
    let parent = URL(filePath: folder.path).appending(path: name).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try folder.write(Array(text.utf8), to: name)
  }

  @Test func `a machine is no container, whatever its cards`() throws {
    #expect(try !isApart(mark: nil, ["lo": (1, 1), "eth0": (2, 2)]))
    #expect(try !isApart(mark: nil, ["eth0": (2, 7)]))
  }

  @Test func `Docker and Podman with root give a container the end of a cable`() throws {
    #expect(try isApart(mark: ".dockerenv", ["lo": (1, 1), "eth0": (16, 17)]))
    #expect(try isApart(mark: "run/.containerenv", ["tunl0": (2, 0)]))
  }

  @Test func `Podman without root gives it a tunnel`() throws {
    #expect(try isApart(mark: "run/.containerenv", ["lo": (1, 1), "tap0": (2, 2)], tunnel: "tap0"))
  }

  @Test func `in the machine's own network the machine's cards are there`() throws {
    #expect(try !isApart(mark: ".dockerenv", ["lo": (1, 1), "docker0": (3, 3), "eth0": (2, 2)]))
  }
}
