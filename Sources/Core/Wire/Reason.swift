/// The reason of a fault: a code that never changes its meaning, values, and the sentence in English. Logs and clients
/// show the sentence; pages show it in their reader's language, by the code.
public struct Reason: Error, Equatable, Sendable, CustomStringConvertible {
  /// A kind of reason: its code, and the English sentence with a placeholder for each value, such as "the server
  /// answered {status}". Modules list theirs as static members; Tests/Web checks that the pages have words for all.
  public struct Kind: Sendable {
    let code: String
    let sentence: String

    public init(_ code: String, _ sentence: String) {
      self.code = code
      self.sentence = sentence
    }
  }

  public enum Value: Sendable {
    case text(String)
    case number(Int)
    case reason(Reason)
  }

  /// Lower-case words with hyphens, such as "server-answered".
  public let code: String
  /// An object with texts, numbers, and reasons as their `json`.
  public let values: JSON
  /// The sentence with its values.
  public let text: String

  public var description: String { text }

  public init(_ kind: Kind, _ values: KeyValuePairs<String, Value> = [:]) {
    code = kind.code
    self.values = .object(values.map { JSON.Member($0.key, $0.value.json) })
    // Piece by piece, so that placeholders within a value are left alone.
    var text = ""
    var rest = kind.sentence[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = rest[rest.index(after: open)..<close]
      guard let value = values.first(where: { $0.key == name })?.value else {
        preconditionFailure("\(kind.code) has no value \(name)")
      }
      text += rest[..<open] + value.text
      rest = rest[rest.index(after: close)...]
    }
    self.text = text + rest
  }

  /// `{"code": …, "text": …, "values": {…}}`
  public var json: JSON { ["code": .string(code), "text": .string(text), "values": values] }

  /// Reads what `json` wrote; nil for anything else.
  public init?(_ json: JSON) {
    guard let code = json["code"]?.string, let text = json["text"]?.string, let values = json["values"],
      values.members != nil
    else { return nil }
    self.code = code
    self.text = text
    self.values = values
  }
}

extension Reason.Kind {
  /// A reason, followed by another program's message.
  public static let inOthersWords = Self("in-others-words", "{reason} ({words})")
}

extension Reason.Value {
  fileprivate var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .int(number)
    case .reason(let reason): reason.json
    }
  }

  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .number(let number): "\(number)"
    case .reason(let reason): reason.text
    }
  }
}
