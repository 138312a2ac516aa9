import Server
import Wire

/// Takes a request's body apart field by field and remembers everything that is wrong with it, so that whoever sent it
/// can mend it in one go.
struct BodyCheck {
  private let json: JSON
  private var problems: [String] = []

  init(_ request: Request, known: [String]) throws(HTTPError) {
    json = try request.json()
    guard let members = json.members else {
      problems.append("body: \(json.kind); an object is accepted.")
      return
    }
    for member in members where !known.contains(member.name) {
      problems.append("\(member.name): unknown; \(known.joined(separator: ", ")) are accepted.")
    }
  }

  mutating func fail(_ field: String, _ message: String) { problems.append("\(field): \(message)") }

  /// Whether a field is there, whatever it is.
  func has(_ field: String) -> Bool { json[field] != nil }

  /// A text without spaces around it and without control characters; nil where there is none.
  mutating func text(_ field: String, longest: Int = IdentityLimits.name, isNeeded: Bool = false) -> String? {
    guard let value = json[field] else {
      if isNeeded { fail(field, "missing; a text of 1 to \(longest) characters is needed.") }
      return nil
    }
    guard let text = value.string else {
      fail(field, "\(value.kind); a text is accepted.")
      return nil
    }
    let accepted = "1 to \(longest) characters, none of them a control character, are accepted."
    // A count of bytes first: to count what people call characters takes long.
    guard text.utf8.count <= longest * 8, text.count <= longest else {
      fail(field, "\(text.utf8.count) bytes; \(accepted)")
      return nil
    }
    let trimmed = Self.trimmed(text)
    guard !text.unicodeScalars.contains(where: Self.isControl), !trimmed.isEmpty else {
      fail(
        field, text.unicodeScalars.allSatisfy { $0 == " " } ? "empty; \(accepted)" : "a control character; \(accepted)")
      return nil
    }
    return trimmed
  }

  mutating func role(_ field: String, among roles: [Role], isNeeded: Bool = false) -> Role? {
    guard has(field) || isNeeded else { return nil }
    let role = json[field]?.string.flatMap(Role.init(rawValue:))
    if let role, roles.contains(role) { return role }
    let seen = json[field].map { $0.string.map { "\"\($0.prefix(40))\"" } ?? $0.kind } ?? "missing"
    fail(field, "\(seen); one of \(roles.map(\.rawValue).joined(separator: ", ")) is accepted.")
    return nil
  }

  mutating func int(_ field: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = json[field] else { return nil }
    if let int = value.int, range.contains(int) { return int }
    fail(
      field, "\(value.int.map(String.init) ?? value.kind); \(range.lowerBound) to \(range.upperBound) are accepted.")
    return nil
  }

  func finish(help: String) throws(HTTPError) {
    if !problems.isEmpty { throw HTTPError(.invalidField, problems.joined(separator: " "), help: help) }
  }

  /// A name without spaces around it; nil for what is none.
  static func name(_ text: String) -> String? {
    guard text.utf8.count <= IdentityLimits.name * 8, text.count <= IdentityLimits.name else { return nil }
    let name = trimmed(text)
    return name.isEmpty || name.unicodeScalars.contains(where: isControl) ? nil : name
  }

  private static func trimmed(_ text: String) -> String {
    var scalars = text.unicodeScalars[...]
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return String(scalars)
  }

  /// Line breaks and the like; and what turns the direction of writing, with which a name can be dressed up.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }
}
