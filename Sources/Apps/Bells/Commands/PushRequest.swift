import CivilTime
import Delivery
import Glibc
import Hub
import Settings
import Terminal
import Wire

/// The request of `eightbells push send`, as the API takes it.
enum PushRequest {
  static let options = [
    Option("to", "WHOM", help: "topic:ID, person:ID, device:ID or role:NAME; repeatable"),
    Option("title", "TEXT", help: "its title"),
    Option("body", "TEXT", help: "its text"),
    Option("file", "FILE", help: "its content in JSON, or a whole request with content; - is the standard input"),
    Option("category", "NAME", help: "its kind, which names its actions"),
    Option("thread", "NAME", help: "what it is shown together with"),
    Option("level", "LEVEL", help: "passive (without a sound), active, time-sensitive or critical (active)"),
    Option("url", "URL", help: "what opens when it is pressed"),
    Option("collapse-id", "ID", help: "a newer one with the same one takes its place"),
    Option("priority", "PRIORITY", help: "high or normal (high)"),
    Option("at", "TIME", help: "when: 2026-11-21T19:00:00Z, or 07:30 by each device's clock; at once if not given"),
    Option("every", "RULE", help: "with --at 07:30: the days, such as FREQ=WEEKLY;BYDAY=MO,FR"),
    Option("expires-at", "TIME", help: "after which it is not delivered any more (four weeks later)"),
  ]
  /// Options that are members of the content, and of the request.
  private static let ofContent = [
    ("title", "title"), ("body", "body"), ("category", "category"), ("thread", "thread"),
    ("level", "interruption_level"), ("url", "url"),
  ]
  private static let ofRequest = [
    ("collapse-id", "collapse_id"), ("priority", "priority"), ("at", "at"), ("expires-at", "expires_at"),
  ]

  /// The file's content, with what the options say instead.
  static func body(_ arguments: Arguments, needsRecipient: Bool = true) throws(CommandError) -> JSON {
    var request: [JSON.Member] = []
    var content: [JSON.Member] = []
    if let file = arguments["file"] {
      let json = try read(file)
      guard let members = json.members else { throw CommandError("\(file) holds \(json.kind); an object is accepted.") }
      if let inner = json["content"]?.members { (request, content) = (members, inner) } else { content = members }
    }
    for (option, name) in ofContent { if let value = arguments[option] { content.set(name, .string(value)) } }
    // A file says itself whether it sounds.
    let hasWords = content.contains { ["title", "body"].contains($0.name) && $0.value.string != "" }
    if arguments["file"] == nil, hasWords, arguments["level"] != "passive" { content.set("sound", "default") }
    for (option, name) in ofRequest { if let value = arguments[option] { request.set(name, .string(value)) } }
    if let at = arguments["at"], ClockTime.minute(.string(at)) != nil {
      var local = [JSON.Member("local", .string(at))]
      if let every = arguments["every"] { local.append(.init("every", .string(every))) }
      request.set("at", .object(local))
    } else if arguments["every"] != nil {
      throw CommandError(usage: "--every needs --at with a time of day, such as 07:30.")
    } else if let at = arguments["at"], parseTimestamp(at) == nil {
      throw CommandError(
        usage: "--at \(at): a time such as 2026-11-21T23:00:00Z is accepted, or a time of day such as 07:30.")
    }
    let targets = try arguments.all("to").map { word throws(CommandError) in try target(word) }
    if !targets.isEmpty { request.set("to", .array(targets)) }
    guard !needsRecipient || request.contains(where: { $0.name == "to" }) else {
      throw CommandError(usage: "--to is missing: topic:ID, person:ID, device:ID or role:NAME is accepted.")
    }
    request.set("content", .object(content))
    return .object(request)
  }

  static func target(_ word: String) throws(CommandError) -> JSON {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    guard Sending.Target(word) != nil, parts.count == 2 else {
      throw CommandError(
        usage: "--to \(word): topic:ID, person:ID, device:ID or role:NAME is accepted, such as topic:space.")
    }
    return .object([.init(parts[0], .string(parts[1]))])
  }

  /// The most bytes of a file: more is no notification.
  private static let fileBytes = 4 * DeliveryLimits.contentBytes

  private static func read(_ path: String) throws(CommandError) -> JSON {
    let bytes = try bytes(of: path, limit: fileBytes)
    do throws(JSONError) {
      return try JSON(parsing: bytes)
    } catch {
      throw CommandError("\(path) is no JSON: line \(error.line), column \(error.column): \(error.message)")
    }
  }

  /// The bytes of a file; - is the standard input.
  static func bytes(of path: String, limit: Int) throws(CommandError) -> [UInt8] {
    guard let file = path == "-" ? fdopen(dup(STDIN_FILENO), "r") : fopen(path, "r") else {
      throw CommandError("Cannot read \(path): \(String(cString: strerror(errno))).")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard count <= limit else { throw CommandError("\(path) has more than \(limit) bytes.") }
    return Array(bytes.prefix(count))
  }
}

extension [JSON.Member] {
  fileprivate mutating func set(_ name: String, _ value: JSON) {
    removeAll { $0.name == name }
    append(.init(name, value))
  }
}

extension CommandError {
  /// Reads what a command asks for; its faults end the command.
  static func usage<Wish>(_ wish: @autoclosure () throws(FieldErrors) -> Wish) throws(CommandError) -> Wish {
    do throws(FieldErrors) {
      return try wish()
    } catch {
      throw CommandError(usage: error.message)
    }
  }
}
