import EventLoop
import Settings
import Terminal
import WebSocketClient

/// The part of the agent's command line that is about the anchor watch.
struct AnchorOptions {
  enum Source: Equatable {
    case gpsd(host: String, port: UInt16)
    case nmeaStream(host: String, port: UInt16)
    /// Nil for all addresses of this machine.
    case nmeaDatagrams(host: String?, port: UInt16)
    case signalK(WebSocketAddress)

    /// The source itself.
    func source(
      _ connector: WebSocketConnector, _ loop: EventLoop, warn: @escaping (String) -> Void
    ) -> any FixSource {
      switch self {
      case .gpsd(let host, let port):
        StreamSource(.gpsd, host: host, port: port, names: connector.names, loop: loop, warn: warn)
      case .nmeaStream(let host, let port):
        StreamSource(.nmea, host: host, port: port, names: connector.names, loop: loop, warn: warn)
      case .nmeaDatagrams(let host, let port): DatagramSource(host: host, port: port, loop: loop, warn: warn)
      case .signalK(let address): SignalKSource(address, connector, loop: loop, warn: warn)
      }
    }
  }

  static let gpsdPort: UInt16 = 2947

  var sources: [Source]
  /// The folder in which the kernel tells about batteries.
  var power: String

  static let all = [
    Option("gpsd", "HOST[:PORT]", help: "watch the anchor with the positions of gpsd; may be given several times"),
    Option(
      "nmea", "ADDRESS",
      help: "watch the anchor with NMEA 0183 from tcp://HOST:PORT or udp://[HOST]:PORT; for a serial line, gpsd"),
    Option("signalk", "URL", help: "watch the anchor with a Signal K server, such as ws://boat.local:3000"),
    Option("power", "DIR", help: "where batteries and chargers are told (\(PowerSupply.usual))"),
  ]

  /// Nil if the command line names no source.
  init?(_ arguments: Arguments, _ verb: Verb) throws(CommandError) {
    sources = []
    for text in arguments.all("gpsd") {
      guard let (host, port) = Self.place(text, usual: Self.gpsdPort) else {
        throw verb.misused("--gpsd: \"\(text.prefix(80))\"; HOST and HOST:PORT are accepted.")
      }
      sources.append(.gpsd(host: host, port: port))
    }
    for text in arguments.all("nmea") {
      if text.hasPrefix("tcp://"), let (host, port) = Self.place(String(text.dropFirst(6)), usual: nil) {
        sources.append(.nmeaStream(host: host, port: port))
      } else if text.hasPrefix("udp://:"), let port = UInt16(text.dropFirst(7)), port > 0 {
        sources.append(.nmeaDatagrams(host: nil, port: port))
      } else if text.hasPrefix("udp://"), let (host, port) = Self.place(String(text.dropFirst(6)), usual: nil) {
        sources.append(.nmeaDatagrams(host: host, port: port))
      } else {
        throw verb.misused(
          "--nmea: \"\(text.prefix(80))\"; tcp://HOST:PORT, udp://:PORT and udp://HOST:PORT are accepted.")
      }
    }
    for text in arguments.all("signalk") {
      guard let address = WebSocketAddress(text) else {
        throw verb.misused("--signalk: \"\(text.prefix(80))\"; ws://HOST:PORT and wss://HOST:PORT are accepted.")
      }
      sources.append(.signalK(address))
    }
    guard sources.count <= AgentWatchLimits.sources else {
      throw verb.misused("\(sources.count) sources of positions; up to \(AgentWatchLimits.sources) are accepted.")
    }
    power = arguments["power"] ?? PowerSupply.usual
    if sources.isEmpty { return nil }
  }

  /// A host and its port; IPv6 in brackets.
  static func place(_ text: String, usual: UInt16?) -> (String, UInt16)? {
    var (host, port) = (text[...], usual)
    let colons = text.utf8.filter { $0 == 58 }.count
    if let colon = text.lastIndex(of: ":"), colons == 1 || text.hasPrefix("[") && !text.hasSuffix("]") {
      (host, port) = (text[..<colon], UInt16(text[text.index(after: colon)...]))
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard let port, port > 0, !host.isEmpty, host.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 47 }) else {
      return nil
    }
    return (String(host), port)
  }
}
