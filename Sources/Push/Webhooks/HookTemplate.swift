public import Wire

/// A text with places for values of JSON, such as "{{repository.full_name}}: {{commits[0].message}}". There is no code
/// in it: a path names a value, and what is not there is empty.
///
/// A path is names, separated by full stops, and the numbers of list members in brackets; it may begin with a number
/// where the JSON is a list.
public struct HookTemplate: Equatable, Sendable {
  enum Step: Equatable {
    case name(String)
    case index(Int)
  }
  enum Part: Equatable {
    case text(String)
    case value([Step])
  }
  let parts: [Part]
  /// The template as it was written.
  public let source: String

  /// The reason why a text is no template.
  public struct Fault: Error, Equatable, Sendable {
    /// A sentence.
    public var message: String
  }

  public init(_ source: String) throws(Fault) {
    guard source.utf8.count <= WebhookLimits.templateBytes else {
      throw Fault(message: "\(source.utf8.count) bytes; at most \(WebhookLimits.templateBytes) are accepted.")
    }
    self.source = source
    var parts: [Part] = []
    var rest = source[...]
    while let open = rest.utf8.firstRange(of: "{{".utf8) {
      if open.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<open.lowerBound]))) }
      guard let close = rest[open.upperBound...].utf8.firstRange(of: "}}".utf8) else {
        throw Fault(message: "\"{{\" without \"}}\"; {{path.to[0]}} is accepted.")
      }
      parts.append(.value(try Self.path(rest[open.upperBound..<close.lowerBound])))
      rest = rest[close.upperBound...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    let count = parts.count { if case .value = $0 { true } else { false } }
    guard count <= WebhookLimits.placeholders else {
      throw Fault(message: "\(count) places for values; at most \(WebhookLimits.placeholders) are accepted.")
    }
    self.parts = parts
  }

  /// The text with the values of `json`. Line ends and tabs are kept; other control characters become spaces.
  /// - Parameter longest: bytes, at which it is cut off, with "…" at its end.
  public func text(of json: JSON, longest: Int) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let words): text += words
      case .value(let path): text += Self.cut(Self.written(Self.value(at: path, in: json)), WebhookLimits.valueBytes)
      }
      if text.utf8.count > longest { break }
    }
    return Self.cut(Self.printable(text), longest)
  }

  // MARK: Paths

  private static func path(_ text: Substring) throws(Fault) -> [Step] {
    let words = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    let path = String(words)
    func refusal() -> Fault {
      Fault(
        message: "{{\(text.prefix(60))}} is no path; names with full stops between, and numbers as [0], are accepted.")
    }
    var steps: [Step] = []
    for (place, segment) in path.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
      let name = segment.prefix { $0 != "[" }
      guard !name.contains("]"), !name.contains("{"), !name.contains("}"), !name.isEmpty || place == 0 else {
        throw refusal()
      }
      if !name.isEmpty { steps.append(.name(String(name))) }
      var rest = segment.dropFirst(name.count)
      guard !name.isEmpty || !rest.isEmpty else { throw refusal() }
      while !rest.isEmpty {
        guard rest.first == "[", let close = rest.firstIndex(of: "]") else { throw refusal() }
        let digits = rest[rest.index(after: rest.startIndex)..<close]
        guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
          let index = Int(digits)
        else { throw refusal() }
        steps.append(.index(index))
        rest = rest[rest.index(after: close)...]
      }
    }
    guard steps.count <= WebhookLimits.pathSteps else { throw refusal() }
    return steps
  }

  private static func value(at path: [Step], in json: JSON) -> JSON? {
    var value = json
    for step in path {
      switch step {
      case .name(let name):
        guard let next = value[name] else { return nil }
        value = next
      case .index(let index):
        guard let list = value.array, index < list.count else { return nil }
        value = list[index]
      }
    }
    return value
  }

  // MARK: Texts

  /// A value as people read it: lists and objects stay JSON.
  private static func written(_ value: JSON?) -> String {
    switch value {
    case nil, .null: ""
    case .string(let text): text
    case .some(let other): other.text
    }
  }

  private static func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\r" { continue }
      let isControl = scalar.value < 32 && scalar != "\n" && scalar != "\t" || (127...159).contains(scalar.value)
      scalars.append(isControl ? " " : scalar)
    }
    return String(scalars)
  }

  /// The beginning of a text, in at most so many bytes and whole characters.
  static func cut(_ text: String, _ longest: Int) -> String {
    guard text.utf8.count > longest else { return text }
    var kept = ""
    var bytes = "…".utf8.count
    for character in text {
      bytes += character.utf8.count
      if bytes > longest { break }
      kept.append(character)
    }
    return longest < "…".utf8.count ? "" : kept + "…"
  }
}
