import EventLoop
import Foundation
import Lifecycle
import NATSClient
import TCPClient
import Testing
import World

/// The real server, in real time.
struct NATSServerTests {
  /// On a port of its own; `start` after `kill` takes the same port again.
  final class Server {
    let port: Int
    private let arguments: [String]
    private var process: Process?
    private static let program = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../.build/venv/bin/nats-server").standardizedFileURL

    init(_ arguments: [String] = []) throws {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      port = ScriptedServer.bindToFreePort(descriptor)
      close(descriptor)
      self.arguments = arguments
      try start()
    }

    deinit { kill() }

    func start() throws {
      try #require(
        FileManager.default.isExecutableFile(atPath: Self.program.path()),
        "there is no \(Self.program.path()); bin/make-venv makes it")
      let process = Process()
      process.executableURL = Self.program
      process.arguments = ["-a", "127.0.0.1", "-p", "\(port)"] + arguments
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      self.process = process
    }

    func kill() {
      guard let process else { return }
      Glibc.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      self.process = nil
    }
  }

  @Test func `a message reaches the others, also after the server was killed and started again`() throws {
    let server = try Server()
    let (here, there) = try (
      NATSWorld("nats://127.0.0.1:\(server.port)", time: SystemTime()),
      NATSWorld("nats://127.0.0.1:\(server.port)", time: SystemTime())
    )
    func both(_ isSo: () -> Bool) throws {
      try here.eventually {
        there.loop.turn(wait: 0)
        return isSo()
      }
    }
    var heard: [(String, [UInt8])] = []
    there.connection.subscribe("hub.>") { heard.append(($0, $1)) }
    here.connection.subscribe("hub.>") { subject, _ in heard.append(("echo of \(subject)", [])) }
    for world in [here, there] { world.connection.begin() }
    for round in 1...2 {
      try both { here.connection.isConnected && there.connection.isConnected }
      let payload = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* round) }
      #expect(here.connection.publish("hub.wake", payload) && here.connection.publish("hub.last", []))
      try both { heard.count == 2 }
      #expect(heard.map(\.0) == ["hub.wake", "hub.last"] && heard[0].1 == payload && heard[1].1.isEmpty)
      heard = []
      server.kill()
      try both { !here.connection.isConnected && !there.connection.isConnected }
      #expect(!here.connection.publish("hub.wake", []))
      if round == 1 { try server.start() }
    }
    #expect(here.told.filter { $0 == "connected" }.count == 2)
  }

  @Test func `a wrong password is told, and the right one is taken`() throws {
    let server = try Server(["--user", "ada", "--pass", "right"])
    for (secret, isRight) in [("ada:wrong@", false), ("token@", false), ("", false), ("ada:right@", true)] {
      let world = try NATSWorld("nats://\(secret)127.0.0.1:\(server.port)", time: SystemTime())
      world.connection.begin()
      // It may not listen yet.
      try world.eventually { world.told.contains { !$0.contains("cannot be reached") } }
      let refused = "nats://127.0.0.1:\(server.port): it refuses: Authorization Violation"
      #expect(world.told.last == (isRight ? "connected" : refused))
    }
    let tokens = try Server(["--auth", "t0ken"])
    let world = try NATSWorld("nats://t0ken@127.0.0.1:\(tokens.port)", time: SystemTime())
    world.connection.begin()
    try world.eventually { world.connection.isConnected }
  }

  @Test func `TLS begins after INFO, with a certificate that is valid for the host`() throws {
    let folder = TemporaryFolder()
    let (certificate, key) = ("\(folder.path)/certificate.pem", "\(folder.path)/key.pem")
    let made = system(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test \
      -addext subjectAltName=IP:127.0.0.1 -keyout '\(key)' -out '\(certificate)' 2> /dev/null
      """)
    #expect(made == 0)
    let server = try Server(["--tls", "--tlscert", certificate, "--tlskey", key])
    let pem = try folder.read("certificate.pem")
    for (address, isTrusted, words) in [
      ("tls://127.0.0.1", true, "connected"), ("nats://127.0.0.1", true, "connected"),
      ("tls://127.0.0.1", false, "its certificate is not accepted"),
      ("tls://localhost", true, "its certificate is not accepted"),
    ] {
      let trust = try #require(isTrusted ? TLSTrust(authorities: pem) : TLSTrust())
      let world = try NATSWorld("\(address):\(server.port)", time: SystemTime(), trust: trust)
      var heard: [UInt8] = []
      world.connection.subscribe("a") { heard = $1 }
      world.connection.begin()
      try world.eventually { world.told.contains { !$0.contains("cannot be reached") } }
      #expect(world.told.last!.contains(words), "\(address)")
      guard words == "connected" else { continue }
      let other = try NATSWorld("\(address):\(server.port)", time: SystemTime(), trust: trust)
      other.connection.begin()
      try other.eventually { other.connection.isConnected }
      let payload = [UInt8](repeating: 7, count: 500_000)
      other.connection.publish("a", payload)
      try other.eventually {
        world.loop.turn(wait: 0)
        return heard == payload
      }
    }
    #expect(TLSTrust(authorities: Array("none".utf8)) == nil)
  }
}
