import Client
import EventLoop
import Observe
import Server
import Settings
import Wire

/// What the settings say about serving, understood and checked.
struct ServePlan: Sendable {
  var address: ListenAddress
  var calendarFolders: [String]
  /// Where the Google Calendar API is, without a slash at its end.
  var googleCalendarBase: String
  /// How many event loops.
  var loops: Int
  /// Networks that may be asked although they are not the public Internet.
  var reachable: [AddressRange]
  /// Proxies whose word counts on who asks.
  var trustedProxies: [AddressRange]
  /// Connections that one address may have open; 0 for any number.
  var connectionsPerAddress: Int
  /// Where people reach the hub, without a slash at its end; nil where nothing was said of it.
  var publicURL: String?
  var logLevel: Log.Level
  var logFormat: Log.Format
  /// PEM files; both empty for plain HTTP.
  private(set) var certificate: String
  private(set) var key: String

  init(_ values: Settings) throws(SettingsError) {
    do throws(ListenError) {
      address = try ListenAddress(values["listen"])
    } catch {
      throw SettingsError(error.message)
    }
    calendarFolders = values["calendar_folders"].split(separator: ":").map(String.init)
    googleCalendarBase = values["google_calendar_base"]
    while googleCalendarBase.utf8.last == UInt8(ascii: "/") { googleCalendarBase.removeLast() }
    guard googleCalendarBase.hasPrefix("https://") || googleCalendarBase.hasPrefix("http://") else {
      throw SettingsError(
        "google_calendar_base: \"\(googleCalendarBase)\"; an address that begins with https:// or http:// is accepted.")
    }
    reachable = try values.addressRanges("reachable_networks")
    trustedProxies = try values.addressRanges("trusted_proxies")
    guard let connections = Int(values["connections_per_address"]), (0...ServerLimits.connections).contains(connections)
    else {
      throw SettingsError(
        "connections_per_address: \"\(values["connections_per_address"])\"; 0 to \(ServerLimits.connections) are "
          + "accepted, 0 for any number.")
    }
    connectionsPerAddress = connections
    (logLevel, logFormat) = (try values.choice("log_level"), try values.choice("log_format"))
    (certificate, key) = (values["certificate"], values["key"])
    guard certificate.isEmpty == key.isEmpty else {
      throw SettingsError("\(key.isEmpty ? "key" : "certificate") is missing: HTTPS needs a certificate and its key.")
    }
    publicURL = try Self.publicURL(values["public_url"])
    if values["loops"].isEmpty {
      loops = min(EventLoop.usableCores, ServeLimits.loops)
    } else {
      guard let count = Int(values["loops"]), (1...ServeLimits.loops).contains(count) else {
        throw SettingsError("loops: \"\(values["loops"])\"; 1 to \(ServeLimits.loops) are accepted.")
      }
      loops = count
    }
  }

  private static func publicURL(_ text: String) throws(SettingsError) -> String? {
    if text.isEmpty { return nil }
    let parts = text.split(separator: "://", maxSplits: 1)
    let host = parts.count == 2 ? parts[1].drop { $0 == "/" }.prefix { $0 != "/" } : ""
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()), !host.isEmpty,
      parts[1] == host || parts[1] == "\(host)/", !host.contains(where: { "?#@ ".contains($0) })
    else {
      throw SettingsError(
        "public_url: \"\(text)\"; an address without a path is accepted, such as https://hub.example.")
    }
    return "\(parts[0].lowercased())://\(host)"
  }

  /// Asks other servers, as far as the settings allow.
  func client(on loop: EventLoop) -> HTTPClient {
    HTTPClient(loop: loop, userAgent: "Eightbells/\(Main.version)", addresses: .publicInternet(and: reachable))
  }

  /// What connections are secured with, nil where nothing was said of a certificate.
  func tlsContext() throws(CommandError) -> TLSContext? {
    if certificate.isEmpty { return nil }
    do throws(TLSError) {
      return try TLSContext(certificate: certificate, key: key)
    } catch {
      throw CommandError(error.message)
    }
  }

  /// The address as a person types it.
  func url(port: Int) -> String {
    let isEverywhere = ["", "0.0.0.0", "::"].contains(address.host)
    let host = isEverywhere ? "localhost" : address.host.contains(":") ? "[\(address.host)]" : address.host
    return "\(certificate.isEmpty ? "http" : "https")://\(host):\(port)"
  }
}

/// The limits of this command.
enum ServeLimits {
  /// Event loops: more than this many cores no club's hub has work for.
  static let loops = 64
}
