import Hub
import Server
import Settings
import Terminal

/// All settings.
enum ServeSettings {
  private static let hubs = [
    Setting("data", "DIR", fallback: "data", help: "the folder everything is kept in", isInFile: false),
    Setting("listen", "HOST:PORT", fallback: "127.0.0.1:8080", help: "where to listen"),
    Setting(
      "certificate", "FILE", fallback: "", help: "a PEM file: HTTPS is served with it; SIGHUP reads it again"),
    Setting("key", "FILE", fallback: "", help: "the PEM file of the certificate's private key"),
    Setting(
      "public_url", "URL", fallback: "",
      help: "where people reach the hub, if that is not where they ask for a link, such as https://hub.example"),
    Setting(
      "loops", "N", fallback: "",
      help: "event loops, 1 to \(ServeLimits.loops); as many as there are cores if not given"),
    Setting(
      "store", "ADDRESS", fallback: "",
      help: "where the records are: postgres://USER@HOST/NAME, or file for the data folder; noted there for later"),
    Setting(
      "blobs", "PLACE", fallback: "",
      help: "where large pictures and files are, for all hubs of a database: a folder, or s3://BUCKET/FOLDER?… in an "
        + "object store, which is noted for later; blobs in the data folder if not given"),
    Setting(
      "blob_copies", "GIGABYTES", fallback: "10",
      help: "room for copies of what is in an object store, 1 to 10000; those used longest ago make way"),
    Setting(
      "blob_redirects", "ON", fallback: "off",
      help: "on: downloads of originals are sent on to the object store, to addresses that are good for 5 minutes"),
    Setting(
      "bus", "ADDRESS", fallback: "",
      help: "a NATS server by which several hubs on one database wake each other, such as nats://HOST:4222"),
    Setting(
      "drain", "SECONDS", fallback: "30",
      help: "seconds over which one of several hubs, told to stop, sends its listeners to the others: 0 to "
        + "\(ServeLimits.drainSeconds)"),
    RoomList.setting,
    Setting(
      "reachable_networks", "CIDR,CIDR", fallback: "",
      help: "networks that the hub may ask although they are not the public Internet"),
    Setting(
      "trusted_proxies", "CIDR,CIDR", fallback: "",
      help: "web servers in front of the hub whose X-Forwarded fields count"),
    Setting(
      "connections_per_address", "N", fallback: "\(ServerLimits.connectionsPerAddress)",
      help: "connections of one address (an IPv6 /64) and its event streams over HTTP/2, those that are signed in not "
        + "counted; 0 for any number"),
    Setting(
      "rate_limits", "ON", fallback: "on",
      help: "on: who writes or asks too often has to wait; off: nobody has, as for a measurement"),
    Setting("log_level", "LEVEL", fallback: "info", help: "what the log tells: debug, info, warning or error"),
    Setting("log_format", "FORMAT", fallback: "text", help: "how it tells it: text, or json for other programs"),
  ]
  /// Settings of commands that connect to a hub, and the variable that an agent gives to its commands: known here too,
  /// so that one environment serves all.
  private static let ofCommands = [
    Setting("hub", "URL", fallback: "", help: "the hub that commands talk to", isInFile: false),
    Setting("token", "TOKEN", fallback: "", help: "the token that commands use", isInFile: false),
    Setting("deadline", "MILLISECONDS", fallback: "", help: "the end of an agent's command", isInFile: false),
  ]

  /// The settings of `serve`: the hub's own, then its rooms'.
  static func served(_ rooms: RoomList) -> [Setting] { hubs + rooms.options }

  /// The values of all settings.
  static func values(_ rooms: RoomList, _ arguments: Arguments, file: String?) throws(SettingsError) -> Settings {
    try Settings(served(rooms) + ofCommands, arguments: arguments, environment: environment(), file: file)
  }

  /// The data folder, which cannot be named by the file in it.
  static func dataPath(
    _ arguments: Arguments, _ rooms: RoomList, isDemo: Bool
  ) throws(CommandError) -> String {
    do throws(SettingsError) {
      let values = try Self.values(rooms, arguments, file: nil)
      let isGiven = arguments.has("data") || environment()["EIGHTBELLS_DATA"] != nil
      return isDemo && !isGiven ? "data-demo" : values["data"]
    } catch {
      throw CommandError(usage: error.message)
    }
  }
}
