import Crypto
public import Wire

/// The texts of which a hook makes a notification's content.
public struct ContentTemplate: Equatable, Sendable {
  /// The members that a template can have. All but the body are one line.
  public static let fields = [
    "title", "subtitle", "body", "url", "thread", "category", "interruption_level", "collapse_id",
  ]
  private let texts: [(field: String, template: HookTemplate)]

  /// A template's fault, with the member that has it; empty for the template as a whole.
  public struct Fault: Error, Equatable, Sendable {
    public var field: String
    public var message: String
  }

  /// Reads `{"title": "…{{…}}", …}`.
  public init(_ json: JSON) throws(Fault) {
    guard let members = json.members else {
      throw Fault(field: "", message: "\(json.kind); an object with a title or a body is accepted.")
    }
    var texts: [(field: String, template: HookTemplate)] = []
    for member in members {
      guard Self.fields.contains(member.name) else {
        let known = Self.fields.joined(separator: ", ")
        throw Fault(field: member.name, message: "unknown; \(known) are accepted.")
      }
      guard let source = member.value.string else {
        throw Fault(field: member.name, message: "\(member.value.kind); a text is accepted.")
      }
      do throws(HookTemplate.Fault) {
        texts.append((member.name, try HookTemplate(source)))
      } catch {
        throw Fault(field: member.name, message: error.message)
      }
    }
    guard texts.contains(where: { $0.field == "title" || $0.field == "body" }) else {
      throw Fault(field: "", message: "neither title nor body; one of them is needed.")
    }
    self.texts = texts
  }

  public static func == (one: Self, other: Self) -> Bool { one.json == other.json }

  public var json: JSON { .object(texts.map { JSON.Member($0.field, .string($0.template.source)) }) }

  /// A notification's content, made of what was posted.
  public struct Made: Equatable, Sendable {
    public var content: JSON
    public var collapseID: String?
  }

  /// An empty text is left out, and so are an address and a level that cannot be used: they come from outside, and the
  /// rest is still worth telling. Without a title and a body the hook's name is the title. It sounds, unless passive.
  /// - Parameter name: the hook's.
  public func make(of json: JSON, name: String) -> Made {
    var made = Made(content: [:])
    var members: [JSON.Member] = []
    for (field, template) in texts {
      var text = template.text(of: json, longest: Self.longest(field))
      text = field == "body" ? Self.trimmed(text) : Self.line(text)
      if text.isEmpty { continue }
      // Identifiers that are too long are told apart by their digests.
      if Self.identifiers.contains(field), text.utf8.count > Self.identifierBytes {
        text = Digest.base64URL(Digest.sha256(text.utf8))
      }
      switch field {
      case "url" where !Self.isAddress(text), "interruption_level" where !Self.levels.contains(text): continue
      case "collapse_id": made.collapseID = text
      default: members.append(JSON.Member(field, .string(text)))
      }
    }
    if !members.contains(where: { $0.name == "title" || $0.name == "body" }) {
      members.insert(JSON.Member("title", .string(name)), at: 0)
    }
    if !members.contains(where: { $0.value == "passive" && $0.name == "interruption_level" }) {
      members.append(JSON.Member("sound", "default"))
    }
    made.content = .object(members)
    return made
  }

  private static let identifiers = ["thread", "category", "collapse_id"]
  private static let identifierBytes = 64
  private static let levels = ["passive", "active", "time-sensitive", "critical"]

  /// Bytes of each member: all together, each quote of them escaped, are fewer than a content may have.
  private static func longest(_ field: String) -> Int {
    switch field {
    case "title", "subtitle": 300
    case "body": 4_000
    default: 2_000
    }
  }

  /// An address or a path of the hub, by the rule for the content of notifications. One that was cut is none.
  private static func isAddress(_ text: String) -> Bool {
    let isWhole = ["https://", "http://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    let isPath = text.hasPrefix("/") && !text.hasPrefix("//") && !text.hasPrefix("/\\")
    return (isWhole || isPath) && !text.hasSuffix("…") && text.utf8.allSatisfy { $0 > 32 && $0 != 127 }
  }

  private static func isSpace(_ character: Character) -> Bool {
    character == " " || character.isNewline || character == "\t"
  }

  /// One line, with one space between words.
  private static func line(_ text: String) -> String { text.split(whereSeparator: isSpace).joined(separator: " ") }

  /// Lines without spaces at their ends, at most one of them empty between others.
  private static func trimmed(_ text: String) -> String {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = Self.line(String(line))
      if words.isEmpty, lines.last?.isEmpty ?? true { continue }
      lines.append(words)
    }
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}
