import Crypto
import Glibc
import Playback
import Settings
import Terminal
import WebSocketClient

/// The agent's command line.
struct AgentOptions {
  /// The hub and the device's secret there.
  struct Home {
    var hub: String
    var address: WebSocketAddress
    var secret: String
  }

  /// Nil for an agent that is by itself: it watches the anchor, or speaks the time.
  var home: Home?
  var state: String
  /// True if the folder's name is to become that of the device once the hub has told it.
  var namesState: Bool
  var isJSON: Bool
  var command: String?
  /// The commands that change the content of notifications before they are shown.
  var extensions = ExtensionCommands()
  var extensionSeconds = AgentLimits.extensionSeconds
  var audio = AudioOutput.usual
  /// True if it speaks the time while it has no hub.
  var speaksTime = false
  var anchor: AnchorOptions?

  private static let usual = [
    Option("hub", "URL", help: "the hub's address, such as https://hub.example; or EIGHTBELLS_HUB"),
    Option(
      "token", "SECRET",
      help: "the device's secret, as `eightbells device create` printed it; or EIGHTBELLS_TOKEN, which other users "
        + "cannot see"),
    Option(
      "state", "DIR", help: "where it keeps what it must not forget ($XDG_STATE_HOME/eightbells/agent-DEVICE)"),
    Option("json", help: "write a line of JSON for each event"),
    Option("exec", "CMD", help: "run a command for each notification, which gets it as JSON and may answer it"),
    Option(
      "extension", "CMD",
      help: "run a command for each notification marked mutable, which gets it as JSON and may change it"),
    Option(
      "extension-for", "CATEGORY=CMD",
      help: "the same for the notifications of a category, or of some (A,B=CMD), which --extension does not get then; "
        + "repeatable"),
    Option("extension-seconds", "N", help: "how long that may hold up the notification (30)"),
    Option(
      "audio", "DEVICE", help: "where it speaks: a name that `aplay -L` lists, file:PATH (WAV), or off (default)"),
    Option("clock", help: "speak the time by itself, without a hub"),
    Option("last-words", help: "print what the agent did last, also after it was killed"),
    Option("version", help: "print the version of this program"),
  ]

  static let all = usual + AnchorOptions.all

  static func verb(program: String, name: String) -> Verb {
    Verb(
      name, program: program,
      usage: "--hub URL --token SECRET [--state DIR] [--json] [--exec CMD] [--extension CMD] "
        + "[--extension-for CATEGORY=CMD] [--extension-seconds N] [--audio DEVICE] [--clock] [--gpsd HOST[:PORT]] "
        + "[--nmea ADDRESS] [--signalk URL] [--power DIR] [--last-words] [--version]", options: all,
      summary: """
        Makes this machine a device that the hub can ring, without a screen: it shows each notification once, also \
        after a gap, and fires its own requests without a network.
        """)
  }

  static let note = """
    The command of --exec gets the notification on its standard input, as the line that --json writes. The first line \
    of what it writes is the answer: one of the notification's actions; or JSON with "action" and "text".

    It ends with 3 when a newer agent with the same secret is connected, and with 4 when the hub does not know the \
    secret.

    With --gpsd, --nmea or --signalk it watches the anchor, alone if there is no hub; --hub and --token may be left \
    out then, and with --clock. `anchor drop`, `anchor weigh` and others tell it about the anchor: `anchor --help`.

    `key add|list|forget|open` looks after the keys of private messages: `key --help`.
    """

  init(_ arguments: Arguments, _ verb: Verb) throws(CommandError) {
    anchor = try AnchorOptions(arguments, verb)
    speaksTime = arguments.has("clock")
    home = try Self.home(arguments, verb, isNeeded: anchor == nil && !speaksTime)
    for name in ["exec", "extension"] {
      if let command = arguments[name], command.allSatisfy(\.isWhitespace) {
        throw verb.misused("--\(name): \"\(command)\"; a command is accepted, such as ./ring.sh.")
      }
    }
    if let text = arguments["extension-seconds"] {
      guard let seconds = Int(text), (1...Int(AgentLimits.extensionSeconds)).contains(seconds) else {
        throw verb.misused(
          "--extension-seconds: \"\(text)\"; 1 to \(Int(AgentLimits.extensionSeconds)) is accepted.")
      }
      extensionSeconds = Double(seconds)
    }
    if let text = arguments["audio"] {
      guard let output = AudioOutput(text) else {
        throw verb.misused(
          "--audio: \"\(text.prefix(80))\"; a name that `aplay -L` lists, file:PATH and off are accepted.")
      }
      audio = output
    }
    isJSON = arguments.has("json")
    command = arguments["exec"]
    extensions = try ExtensionCommands(arguments, verb)
    if let folder = arguments["state"] {
      guard !folder.isEmpty else { throw verb.misused("--state: \"\"; a folder is accepted.") }
      (state, namesState) = (folder, false)
    } else if let secret = home?.secret {
      let digest = Digest.hex(Digest.sha256(Array(secret.utf8)).prefix(8))
      (state, namesState) = ("\(try Self.states(verb))/\(Self.unnamed)\(digest)", true)
    } else {
      (state, namesState) = ("\(try Self.states(verb))/\(Self.alone)", false)
    }
  }

  private static func home(
    _ arguments: Arguments, _ verb: Verb, isNeeded: Bool
  ) throws(CommandError) -> Home? {
    let variables = environment()
    let given = (
      hub: arguments["hub"] ?? variables["EIGHTBELLS_HUB"] ?? "",
      secret: arguments["token"] ?? variables["EIGHTBELLS_TOKEN"] ?? ""
    )
    if !isNeeded, given.hub.isEmpty, given.secret.isEmpty { return nil }
    guard !given.hub.isEmpty else {
      throw verb.misused("--hub is missing: the hub's address, such as https://hub.example.")
    }
    let secret = given.secret
    guard !secret.isEmpty else {
      throw verb.misused("--token is missing: the device's secret, as `eightbells device create` printed it.")
    }
    guard secret.utf8.count <= AgentLimits.secretBytes, secret.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
      // Not shown: it is a secret.
      throw verb.misused(
        "--token: \(secret.utf8.count) bytes with others than letters, digits and signs, or too many; "
          + "the secret that `eightbells device create` printed is accepted.")
    }
    var base = given.hub
    while base.hasSuffix("/") { base.removeLast() }
    guard !base.contains("?"), !base.contains("#"), let address = WebSocketAddress(base + "/gateway") else {
      throw verb.misused("--hub: \"\(given.hub)\"; http://HOST:PORT and https://HOST:PORT are accepted.")
    }
    return Home(hub: base, address: address, secret: secret)
  }

  /// The beginning of a folder's name before the hub has told the device's number; it stays as a link.
  private static let unnamed = "agent-of-"
  /// The name of the folder of an agent without a hub.
  private static let alone = "agent-alone"

  /// The folder of all agents' folders of this user (XDG Base Directory Specification).
  private static func states(_ verb: Verb) throws(CommandError) -> String {
    let variables = environment()
    // A relative one is invalid and to be ignored.
    if let folder = variables["XDG_STATE_HOME"], folder.hasPrefix("/") { return "\(folder)/eightbells" }
    guard let home = variables["HOME"], home.hasPrefix("/") else {
      throw verb.misused("--state is missing, and so is the variable HOME: a folder for the agent's state is needed.")
    }
    return "\(home)/.local/state/eightbells"
  }

  /// The folder whose last words are wanted: the named one, that of the secret, or the only one.
  static func stateForLastWords(_ arguments: Arguments, _ verb: Verb) throws(CommandError) -> String {
    if let folder = arguments["state"] { return folder }
    let all = try states(verb)
    if let secret = arguments["token"] ?? environment()["EIGHTBELLS_TOKEN"], !secret.isEmpty {
      return "\(all)/\(unnamed)\(Digest.hex(Digest.sha256(Array(secret.utf8)).prefix(8)))"
    }
    var found: [String] = []
    if let stream = opendir(all) {
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name.hasPrefix("agent-"), entry.pointee.d_type != UInt8(DT_LNK) { found.append(name) }
      }
    }
    guard found.count < 2 else {
      throw verb.misused("--state is missing: \(found.sorted().joined(separator: ", ")) are in \(all).")
    }
    guard let only = found.first else { throw CommandError("\(all) has no agent's state; --state DIR names another.") }
    return "\(all)/\(only)"
  }
}
