import Hub
import Lifecycle
import Settings
import Terminal
import Wire

/// `eightbells push send --preview`: prints how a notification will look, and sends nothing.
enum PreviewCommand {
  static let options = [
    Option("preview", help: "prints how it will look, and its size in each channel; sends nothing"),
    Option("language", "LANGUAGE", help: "with --preview: the reader's, en or de (the content's own words)"),
  ]

  static func show(_ arguments: Arguments, _ hub: Hub) async throws {
    let asked = try request(arguments)
    let wish = try CommandError.usage(PreviewWish(asked))
    let address = try await hub.links.hubAddress() ?? hub.publicURL ?? "http://localhost:8080"
    show(PushPreview(wish, now: hub.time.now, address: address).json, arguments)
  }

  static func show(_ arguments: Arguments, by hub: RemoteHub) async throws(CommandError) {
    show(try await hub.ask("POST", PreviewRoutes.path, try request(arguments)), arguments)
  }

  private static func request(_ arguments: Arguments) throws(CommandError) -> JSON {
    var members = try PushParts.previewed(arguments).members ?? []
    if let language = arguments["language"] { members.append(.init("language", .string(language))) }
    return .object(members)
  }

  private static func show(_ json: JSON, _ arguments: Arguments) {
    print(arguments.has("json") ? json.text : text(json))
  }

  /// The answer in words.
  static func text(_ json: JSON) -> String {
    let rings = json["rings"]?.bool == true ? "rings" : "does not ring"
    let stays = json["stays"]?.bool == true ? " and stays until somebody acts" : ""
    var lines = ["It \(rings)\(stays). Its content has \(size(json)).", ""]
    for look in json["platforms"]?.array ?? [] {
      let name = names[look["platform"]?.string ?? ""] ?? look["platform"]?.string ?? ""
      lines.append(look["bytes"]?.int == nil ? name : "\(name): \(size(look))")
      for part in ["title", "subtitle", "body"] {
        let text = look[part]?.string ?? ""
        lines += text.split(separator: "\n").map { "  \(Layout.plain(String($0)))" }
      }
      let buttons = (look["buttons"]?.array ?? []).compactMap(\.string)
      if !buttons.isEmpty { lines.append(Layout.plain("  " + buttons.map { "[\($0)]" }.joined(separator: " "))) }
      let others = (look["others"]?.array ?? []).compactMap(\.string)
      if !others.isEmpty { lines.append(Layout.plain("  On the page alone: \(others.joined(separator: ", "))")) }
      for note in (look["notes"]?.array ?? []).compactMap(\.string) { lines.append("  ! \(notes[note] ?? note)") }
      lines.append("")
    }
    return lines.dropLast().joined(separator: "\n")
  }

  private static func size(_ json: JSON) -> String {
    "\(json["bytes"]?.int ?? 0)" + (json["limit"]?.int.map { " of \($0)" } ?? "") + " bytes"
  }

  private static let names = [
    "list": "The page of the bells", "agent": "Agent", "desktop": "Browser on a computer",
    "android": "Browser on Android", "apple": "Browser on an iPhone, iPad or Mac (Safari, home screen)",
    "app": "App on an iPhone", "ntfy": "ntfy", "mail": "Mail", "webhook": "Webhook",
  ]
  private static let notes = [
    "cut": "Its text is too long, and is cut at the end.",
    "too_large": "It is too large even without its text, and is not sent there.",
    "shows_nothing": "Nothing is shown there.",
  ]
}
