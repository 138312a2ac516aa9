import Wire

/// The buttons of a message: as JSON, or in ntfy's simple format, such as
/// `view, Open, https://example.org; http, Turn off, https://example.org/off, method=PUT, clear=true`.
enum NtfyActions {
  /// The buttons in the form in which subscribers get them.
  static func read(_ text: String) throws(NtfyFault) -> [JSON] {
    guard text.utf8.count <= NtfyLimits.actionsBytes else {
      throw .actions("at most \(NtfyLimits.actionsBytes) bytes are accepted")
    }
    if NtfyWords.trimmed(text).hasPrefix("[") {
      guard let json = try? JSON(parsing: text) else { throw .actions("the list is no JSON") }
      return try read(json)
    }
    var simple = SimpleActions(text)
    return try checked(try simple.read())
  }

  /// The same for a list in JSON.
  static func read(_ json: JSON) throws(NtfyFault) -> [JSON] {
    guard let list = json.array else { throw .actions("\(json.kind); a list is accepted") }
    guard list.map(\.text.utf8.count).reduce(0, +) <= NtfyLimits.actionsBytes else {
      throw .actions("at most \(NtfyLimits.actionsBytes) bytes are accepted")
    }
    return try checked(list)
  }

  private static func checked(_ list: [JSON]) throws(NtfyFault) -> [JSON] {
    guard list.count <= NtfyLimits.actions else {
      throw .actions("\(list.count) buttons; at most \(NtfyLimits.actions) are accepted")
    }
    var actions: [JSON] = []
    for (index, one) in list.enumerated() { actions.append(try checked(one, id: "action\(index + 1)")) }
    return actions
  }

  private static func checked(_ json: JSON, id: String) throws(NtfyFault) -> JSON {
    guard json.members != nil else { throw .actions("\(json.kind); an object is accepted for a button") }
    func text(_ name: String, isNeeded: Bool = false) throws(NtfyFault) -> String? {
      switch json[name] {
      case .string(let text)? where !(isNeeded && text.isEmpty): return text
      case nil, .null?, .string?:
        if isNeeded { throw .actions("\(name) is missing") }
        return nil
      case let other?: throw .actions("\(name): \(other.kind); a text is accepted")
      }
    }
    func texts(_ name: String) throws(NtfyFault) -> JSON? {
      guard let value = json[name], value != .null else { return nil }
      guard let members = value.members, members.count <= NtfyLimits.actionHeaders,
        members.allSatisfy({ $0.value.string != nil })
      else { throw .actions("\(name): at most \(NtfyLimits.actionHeaders) texts by name are accepted") }
      return value
    }
    let kind = try text("action", isNeeded: true) ?? ""
    let label = try text("label", isNeeded: true) ?? ""
    let isClearing = json["clear"].map { $0.bool ?? ["1", "true", "yes"].contains($0.string?.lowercased() ?? "") }
    var members: [JSON.Member] = [
      .init("id", .string(id)), .init("action", .string(kind)), .init("label", .string(label)),
      .init("clear", .bool(isClearing ?? false)),
    ]
    func add(_ name: String, _ value: JSON?) { if let value { members.append(.init(name, value)) } }
    switch kind {
    case "view": add("url", JSON(try text("url", isNeeded: true)))
    case "http":
      let url = try text("url", isNeeded: true) ?? ""
      guard NtfyMessage.isAddress(url) else { throw .actions("url: https:// or http:// is accepted for http") }
      add("url", .string(url))
      add("method", .string(try text("method")?.uppercased() ?? "POST"))
      add("headers", try texts("headers"))
      add("body", try text("body").map(JSON.string))
    case "broadcast":
      add("intent", try text("intent").map(JSON.string))
      add("extras", try texts("extras"))
    case "copy": add("value", JSON(try text("value", isNeeded: true)))
    default: throw .actions("action: \"\(kind.prefix(40))\"; view, http, broadcast or copy is accepted")
    }
    return .object(members)
  }
}

/// Reads the simple format: buttons between semicolons, their parts between commas, each a value or `name=value`. A
/// value may stand in quotes, in which a backslash takes the meaning from the next character.
private struct SimpleActions {
  private let text: [Character]
  private var place = 0

  init(_ text: String) { self.text = Array(text) }

  mutating func read() throws(NtfyFault) -> [JSON] {
    var actions: [JSON] = []
    while true {
      skipSpaces()
      if place < text.count, text[place] != ";" { actions.append(try button()) }
      guard place < text.count else { return actions }
      // A semicolon.
      place += 1
    }
  }

  private mutating func button() throws(NtfyFault) -> JSON {
    var members: [JSON.Member] = []
    var tables: [String: [JSON.Member]] = [:]
    var index = 0
    while true {
      skipSpaces()
      let name = name()
      let value = try value()
      // The first three may go without a name.
      let third = members.first { $0.name == "action" }?.value.string == "copy" ? "value" : "url"
      let plain = index < 3 ? ["action", "label", third][index] : nil
      guard let name = name ?? (value.isEmpty ? "" : plain) else {
        throw .actions("\"\(value.prefix(40))\" has no name; name=value is accepted behind the third part")
      }
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      if parts.count == 2, ["headers", "extras"].contains(parts[0]) {
        tables[parts[0], default: []].append(.init(parts[1], .string(value)))
      } else if !name.isEmpty {
        members.removeAll { $0.name == name }
        members.append(.init(name, .string(value)))
      }
      index += 1
      guard place < text.count, text[place] == "," else { break }
      place += 1
    }
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) { members.append(.init(name, .object(table))) }
    return .object(members)
  }

  private mutating func skipSpaces() { while place < text.count, text[place].isWhitespace { place += 1 } }

  /// The name before an equals sign; nil if there is none, and nothing is read.
  private mutating func name() -> String? {
    var end = place
    while end < text.count, text[end].isLetter || text[end].isNumber || "-_.".contains(text[end]) { end += 1 }
    var mark = end
    while mark < text.count, text[mark] == " " { mark += 1 }
    guard end > place, mark < text.count, text[mark] == "=" else { return nil }
    let name = String(text[place..<end])
    place = mark + 1
    skipSpaces()
    return name
  }

  private mutating func value() throws(NtfyFault) -> String {
    guard place < text.count, text[place] == "\"" || text[place] == "'" else {
      let start = place
      while place < text.count, text[place] != ",", text[place] != ";" { place += 1 }
      return NtfyWords.trimmed(String(text[start..<place]))
    }
    let quote = text[place]
    place += 1
    var value = ""
    while place < text.count, text[place] != quote {
      if text[place] == "\\", place + 1 < text.count { place += 1 }
      value.append(text[place])
      place += 1
    }
    guard place < text.count else { throw .actions("a quote has no end") }
    place += 1
    skipSpaces()
    guard place == text.count || text[place] == "," || text[place] == ";" else {
      throw .actions("\"\(text[place])\" behind a quote; a comma or a semicolon is accepted")
    }
    return value
  }
}
