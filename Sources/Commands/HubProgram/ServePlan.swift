import EventLoop
import Hub
import Observe
import Server
import Settings
import Terminal
import Wire

/// The checked settings of `serve`.
struct ServePlan: Sendable {
  var address: ListenAddress
  /// All rooms, and those that are switched on.
  let rooms: RoomList
  let on: [any Room.Type]
  /// All settings.
  let options: Settings
  /// The number of event loops.
  var loops: Int
  /// Networks that the hub may connect to although they are not the public Internet.
  var reachable: [AddressRange]
  /// The proxies whose fields about the client are trusted.
  var trustedProxies: [AddressRange]
  /// The most open connections of one address; 0 for no limit.
  var connectionsPerAddress: Int
  /// Seconds over which one of several hubs sends its listeners away before it stops.
  var drain: Double
  /// True to limit how often a caller may send requests.
  var limitsRates: Bool
  /// The hub's public address, without a slash at its end; nil if not set.
  var publicURL: String?
  var logLevel: Log.Level
  var logFormat: Log.Format
  /// PEM files; both empty for plain HTTP.
  private(set) var certificate: String
  private(set) var key: String

  init(_ values: Settings, _ rooms: RoomList) throws(SettingsError) {
    do throws(ListenError) {
      address = try ListenAddress(values["listen"])
    } catch {
      throw SettingsError(error.message)
    }
    self.rooms = rooms
    on = try rooms.on(values)
    options = values
    try values.check()
    reachable = try values.addressRanges("reachable_networks")
    trustedProxies = try values.addressRanges("trusted_proxies")
    connectionsPerAddress = try values.number(
      "connections_per_address", in: 0...ServerLimits.connections, "are accepted, 0 for any number")
    drain = try Double(
      values.number("drain", in: 0...ServeLimits.drainSeconds, "seconds are accepted, 0 to stop at once"))
    limitsRates = try values.flag("rate_limits")
    _ = try values.flag("blob_redirects")
    _ = try values.number("blob_copies", in: 1...10_000)
    (logLevel, logFormat) = (try values.choice("log_level"), try values.choice("log_format"))
    (certificate, key) = (values["certificate"], values["key"])
    guard certificate.isEmpty == key.isEmpty else {
      throw SettingsError("\(key.isEmpty ? "key" : "certificate") is missing: HTTPS needs a certificate and its key.")
    }
    publicURL = try Self.publicURL(values["public_url"])
    loops =
      try values["loops"].isEmpty
      ? min(EventLoop.usableCores, ServeLimits.loops) : values.number("loops", in: 1...ServeLimits.loops)
  }

  private static func publicURL(_ text: String) throws(SettingsError) -> String? {
    if text.isEmpty { return nil }
    guard let address = Verb.baseAddress(text) else {
      throw SettingsError(
        "public_url: \"\(text)\"; an address without a path is accepted, such as https://hub.example.")
    }
    return address
  }

  /// The composition of the hub.
  func setup(_ folder: DataFolder) -> HubSetup {
    HubSetup(
      rooms: rooms, on: on, folder: folder, options: options, reachable: reachable, publicURL: publicURL)
  }

  /// What carries messages to other hubs on the same database server.
  func bus(_ folder: DataFolder, loop: EventLoop, log: Log) throws(CommandError) -> any Bus {
    let address = options["bus"]
    if address.isEmpty { return NoBus() }
    guard folder.server != nil else {
      throw CommandError(usage: "--bus: hubs share a database server; --store postgres://… names it.")
    }
    do throws(BusError) { return try NATSBus(address, loop: loop, log: log) } catch {
      throw CommandError(usage: "--bus: \(error.message).")
    }
  }

  /// The TLS context; nil without a certificate.
  func tlsContext() throws(CommandError) -> TLSContext? {
    if certificate.isEmpty { return nil }
    do throws(TLSError) {
      return try TLSContext(certificate: certificate, key: key)
    } catch {
      throw CommandError(error.message)
    }
  }

  /// The address for people to type.
  func url(port: Int) -> String {
    "\(certificate.isEmpty ? "http" : "https")://\(address.authority(port: port))"
  }

  /// False where the owner has said an address, or the hub listens at one alone.
  var hasNetworkURL: Bool { publicURL == nil && address.isEverywhere }

  /// The address for other devices of the network; nil while this machine is in none, and in a container whose
  /// addresses nobody else knows.
  func networkURL(port: Int) -> String? {
    guard !ContainerNetwork.isApart(), let own = ListenAddress.outgoing() else { return nil }
    return "\(certificate.isEmpty ? "http" : "https")://\(own):\(port)"
  }
}

/// The limits of this command.
enum ServeLimits {
  /// The most event loops: no club's hub has work for more cores.
  static let loops = 64
  /// The longest `drain`: whoever deploys waits for it at every hub.
  static let drainSeconds = 600
}
