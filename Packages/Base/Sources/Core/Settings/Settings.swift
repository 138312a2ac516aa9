/// A setting that can be given in three places: as `--listen`, as `EIGHTBELLS_LISTEN` and as `listen = …` in the
/// configuration file. The option overrides the variable, and the variable overrides the file.
public struct Setting: Sendable {
  /// Lower-case words joined by underscores, such as "calendar_folders".
  public var name: String
  public var placeholder: String
  public var fallback: String
  public var help: String
  /// False for settings that the file cannot contain: the file's own place, and those of other programs.
  public var isInFile: Bool
  /// Refuses invalid values before they are used (`Settings.check`).
  public var check: Check

  public typealias Check = @Sendable (_ value: String) throws(SettingsError) -> Void

  public init(
    _ name: String, _ placeholder: String, fallback: String, help: String, isInFile: Bool = true,
    check: @escaping Check = { _ throws(SettingsError) in }
  ) {
    self.name = name
    self.placeholder = placeholder
    self.fallback = fallback
    self.help = help
    self.isInFile = isInFile
    self.check = check
  }

  public var optionName: String { String(name.map { $0 == "_" ? "-" : $0 }) }
  public var variable: String { "EIGHTBELLS_" + name.uppercased() }
  public var option: Option {
    let help = fallback.isEmpty ? self.help : "\(self.help) (\(fallback))"
    return Option(optionName, placeholder, help: help)
  }

  /// The items of a value that is a list, between commas and without the spaces around them; none of an empty value.
  /// - Throws: for an item with a space inside: the commas of a list were probably forgotten.
  public static func list(_ value: String, of name: String) throws(SettingsError) -> [String] {
    let items = value.split(separator: ",", omittingEmptySubsequences: false).map { String(Settings.trimmed($0)) }
    for item in items where item.contains(where: \.isWhitespace) {
      throw SettingsError("\(name): \"\(item)\" has a space inside; the items of the list need commas between them.")
    }
    return items == [""] ? [] : items
  }
}

/// The effective values of all settings.
public struct Settings: Sendable {
  private var values: [String: String] = [:]
  private let known: [Setting]

  /// - Parameters:
  ///   - environment: all variables of the process; an unknown one that begins with EIGHTBELLS_ is refused.
  ///   - file: the configuration file's text; nil without one.
  public init(
    _ known: [Setting], arguments: Arguments, environment: [String: String], file: String?
  ) throws(SettingsError) {
    self.known = known
    for setting in known { values[setting.name] = setting.fallback }
    for (name, value) in try Self.parse(file ?? "", known.filter(\.isInFile)) { values[name] = value }
    for (variable, value) in environment where variable.hasPrefix("EIGHTBELLS_") {
      guard let setting = known.first(where: { $0.variable == variable }) else {
        let near = suggestion(for: variable, among: known.map(\.variable)).map { " Did you mean \($0)?" } ?? ""
        throw SettingsError("Unknown variable \(variable).\(near)")
      }
      values[setting.name] = value
    }
    for setting in known { if let value = arguments[setting.optionName] { values[setting.name] = value } }
  }

  /// Runs the checks of all settings.
  public func check() throws(SettingsError) {
    for setting in known { try setting.check(self[setting.name]) }
  }

  public subscript(_ name: String) -> String {
    guard let value = values[name] else { preconditionFailure("\(name) is no setting") }
    return value
  }

  /// The items of a setting that is a list (`Setting.list`).
  public func list(_ name: String) throws(SettingsError) -> [String] { try Setting.list(self[name], of: name) }

  /// Parses lines of `name = value`. A line that begins with # is a comment. There are no comments after a value, since
  /// a # may be part of it; one that looks like a comment is refused.
  private static func parse(_ text: String, _ known: [Setting]) throws(SettingsError) -> [(String, String)] {
    var found: [(name: String, value: String)] = []
    var lines: [String: Int] = [:]
    // Some editors write a byte order mark.
    let text = text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
    // By scalars, since a carriage return and a line feed together are one Character.
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = trimmed(Substring(line))
      if line.isEmpty || line.hasPrefix("#") { continue }
      let place = "Configuration line \(index + 1)"
      guard !line.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\t" }) else {
        throw SettingsError("\(place) has control characters in it; NAME = VALUE is accepted.")
      }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw SettingsError("\(place): \"\(line)\"; NAME = VALUE is accepted.")
      }
      let name = String(trimmed(parts[0]))
      guard known.contains(where: { $0.name == name }) else {
        let near = suggestion(for: name, among: known.map(\.name)).map { " Did you mean \($0)?" } ?? ""
        throw SettingsError("\(place): unknown name \"\(name)\".\(near)")
      }
      let value = String(trimmed(parts[1]))
      // The same line again may come from a command that was followed twice.
      if let first = lines[name], !found.contains(where: { $0 == (name, value) }) {
        throw SettingsError("\(place): \(name) is set already on line \(first), to another value; one is accepted.")
      }
      lines[name] = index + 1
      guard !value.contains(" #"), !value.contains("\t#"), !value.hasPrefix("#") else {
        throw SettingsError("\(place): \"\(value)\"; a comment needs a line of its own, which begins with #.")
      }
      found.append((name, value))
    }
    return found
  }

  fileprivate static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
