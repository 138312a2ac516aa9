/// A mistake in the configuration or arguments, as one sentence.
public struct SettingsError: Error, Equatable, Sendable {
  public var message: String
  public init(_ message: String) { self.message = message }
}

/// An option of a command, such as `--data DIR`.
public struct Option: Equatable, Sendable {
  /// Without its dashes.
  public var name: String
  /// The name of the value in the help; nil for an option without a value.
  public var placeholder: String?
  public var help: String

  public init(_ name: String, _ placeholder: String? = nil, help: String) {
    self.name = name
    self.placeholder = placeholder
    self.help = help
  }

  /// "--data DIR".
  public var usage: String { placeholder.map { "--\(name) \($0)" } ?? "--\(name)" }
}

/// The parsed words after a command's name.
public struct Arguments: Equatable, Sendable {
  /// The options' values by name; empty for an option without a value.
  public private(set) var options: [String: String] = [:]
  /// All values of each option with values, in the order given.
  private var values: [String: [String]] = [:]
  /// The words that are not options, in order.
  public private(set) var words: [String] = []

  /// Parses `--name value` and `--name=value`; `--` ends the options. The last one counts if an option comes twice. A
  /// value that looks like one of the options is accepted after `=` only, since otherwise the value was probably
  /// forgotten.
  public init(_ arguments: [String], accepted: [Option]) throws(SettingsError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        words += rest
        return
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        words.append(argument)
        continue
      }
      let parts = argument.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = accepted.first(where: { $0.name == name }) else {
        let near = suggestion(for: name, among: accepted.map(\.name)).map { " Did you mean --\($0)?" } ?? ""
        throw SettingsError("Unknown option \(argument).\(near) --help lists what is accepted.")
      }
      guard option.placeholder != nil else {
        if parts.count > 1 { throw SettingsError("--\(name) takes no value.") }
        options[name] = ""
        continue
      }
      if parts.count > 1 {
        set(name, String(parts[1]))
      } else if let value = rest.first, !accepted.contains(where: { Self.isOption(value, $0) }) {
        set(name, value)
        rest.removeFirst()
      } else {
        throw SettingsError("--\(name) needs a value: \(option.usage).")
      }
    }
  }

  private mutating func set(_ name: String, _ value: String) {
    options[name] = value
    values[name, default: []].append(value)
  }

  private static func isOption(_ text: String, _ option: Option) -> Bool {
    text == "--\(option.name)" || text.hasPrefix("--\(option.name)=")
  }

  public subscript(_ name: String) -> String? { options[name] }
  /// All values of an option that may be given several times, in order.
  public func all(_ name: String) -> [String] { values[name] ?? [] }
  public func has(_ name: String) -> Bool { options[name] != nil }
}
