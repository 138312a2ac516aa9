import EventLoop
import Hub
import Settings
import Terminal
import Wire

/// `eightbells space status|open|close`: the sign from the command line, over the hub's API.
enum SignCommand {
  private static let token = Option(
    "token", "TOKEN", help: "a keykeeper's or owner's token; or EIGHTBELLS_TOKEN, which other users cannot see")
  private static let turning = [
    Verb.hub, token,
    Option("message", "TEXT", help: "what to say beside the sign"),
    Option("until", "TIME", help: "23:00 or 2026-11-20T23:00:00+01:00"),
    Option("by", "NAME", help: "who turns it, for everyone to read"),
    Verb.json,
  ]
  private static let usage = "[--hub URL] [--token TOKEN] [--message TEXT] [--until TIME] [--by NAME] [--json]"
  private static let status = Verb(
    "space status", usage: "[--hub URL] [--json]", options: [Verb.hub, Verb.json], summary: "Says how the sign stands.")
  private static let open = Verb(
    "space open", usage: usage, options: turning, summary: "Turns the sign to open.")
  private static let close = Verb(
    "space close", usage: usage, options: turning, summary: "Turns the sign to closed.")

  static let all = [
    RoomCommand(alone: status) { loop, arguments async throws(CommandError) in
      let hub = try RemoteHub(arguments, verb: status, needs: nil, on: loop)
      show(try await hub.ask("GET", path), arguments)
    },
    RoomCommand(alone: open) { loop, arguments async throws(CommandError) in
      try await turn(open, isOpen: true, arguments, on: loop)
    },
    RoomCommand(alone: close) { loop, arguments async throws(CommandError) in
      try await turn(close, isOpen: false, arguments, on: loop)
    },
  ]

  private static let path = "/api/v1/space/state"

  private static func turn(
    _ verb: Verb, isOpen: Bool, _ arguments: Arguments, on loop: EventLoop
  ) async throws(CommandError) {
    let hub = try RemoteHub(
      arguments, verb: verb, needs: "a keykeeper's or owner's token turns the sign", on: loop)
    show(try await hub.ask("POST", path, body(isOpen: isOpen, arguments)), arguments)
  }

  private static func show(_ sign: JSON, _ arguments: Arguments) {
    print(arguments.has("json") ? sign.text : Layout.plain(sentence(sign)))
  }

  private static func body(isOpen: Bool, _ arguments: Arguments) -> JSON {
    var members = [JSON.Member("open", .bool(isOpen))]
    for name in ["message", "until", "by"] {
      if let value = arguments[name] { members.append(JSON.Member(name, .string(value))) }
    }
    return .object(members)
  }

  /// The sign as a sentence: "open since 2026-11-20 18:40, until 2026-11-20 23:00: Come in (Ada)"; a closed one says
  /// when it opens.
  private static func sentence(_ sign: JSON) -> String {
    guard let open = sign["open"]?.bool else {
      guard let since = sign["unknown_since"]?.string else { return "unknown: nobody has turned the sign yet" }
      return "unknown since \(clock(since)): the contact on the door is silent"
    }
    var text = open ? "open" : "closed"
    if let since = sign["since"]?.string { text += " since \(clock(since))" }
    if let until = sign["until"]?.string {
      text += sign["until_passed"]?.bool == true ? ", was meant until \(clock(until))" : ", until \(clock(until))"
    }
    if let opens = sign["opens"]?.string { text += ", opens \(clock(opens))" }
    if let message = sign["message"]?.string { text += ": \(message)" }
    if let by = sign["by"]?.string {
      text += " (\(by))"
    } else if sign["source"]?.string == "contact" {
      text += " (the contact on the door)"
    }
    return text
  }

  /// An RFC 3339 time for people: date and time without the offset, which is the space's own.
  private static func clock(_ timestamp: String) -> String {
    String(timestamp.prefix(16)).replacing("T", with: " ")
  }
}
