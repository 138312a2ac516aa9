import CivilTime
import Glibc
public import Lifecycle
import Synchronization
import Wire

/// Structured lines on standard error: a time (RFC 3339, UTC), a level, a static message and fields.
///
/// No secrets, no positions; message bodies at debug level only. One line is one `write`, so lines of several threads
/// never mix.
public struct Log: Sendable {
  public enum Level: String, CaseIterable, Sendable, Comparable {
    case debug, info, warning, error
    public static func < (a: Level, b: Level) -> Bool {
      allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
    }

    /// The priority that the journal takes off a line's beginning (sd-daemon(3)).
    fileprivate var priority: String {
      switch self {
      case .debug: "<7>"
      case .info: "<6>"
      case .warning: "<4>"
      case .error: "<3>"
      }
    }
  }
  public enum Format: String, CaseIterable, Sendable {
    /// For people: words, then `name=value`.
    case text
    /// For programs: an object with `time`, `level`, `message` and the fields.
    case json
  }

  private let time: any TimeSource
  private let threshold: Level
  private let format: Format
  /// Nil for standard error.
  private let sink: (@Sendable (String) -> Void)?
  private let isForJournal: Bool

  /// - Parameters:
  ///   - threshold: the lowest level that is written.
  ///   - sink: takes each finished line; standard error if nil, with priorities where that is systemd's journal.
  public init(
    time: any TimeSource, threshold: Level = .info, format: Format = .text,
    sink: (@Sendable (String) -> Void)? = nil
  ) {
    self.time = time
    self.threshold = threshold
    self.format = format
    self.sink = sink
    isForJournal = sink == nil && Self.isJournal
  }

  public func debug(_ message: StaticString, _ fields: KeyValuePairs<StaticString, String> = [:]) {
    write(.debug, message, fields)
  }
  public func info(_ message: StaticString, _ fields: KeyValuePairs<StaticString, String> = [:]) {
    write(.info, message, fields)
  }
  public func warning(_ message: StaticString, _ fields: KeyValuePairs<StaticString, String> = [:]) {
    write(.warning, message, fields)
  }
  public func error(_ message: StaticString, _ fields: KeyValuePairs<StaticString, String> = [:]) {
    write(.error, message, fields)
  }

  private func write(_ level: Level, _ message: StaticString, _ fields: KeyValuePairs<StaticString, String>) {
    guard level >= threshold else { return }
    if let sink { return sink(line(level, message, fields)) }
    guard Self.isRead() else { return }
    let lost = Self.lost.exchange(0, ordering: .relaxed)
    if lost > 0 {
      Self.standardError(line(.warning, "lines of this log are lost, as nobody took them", ["lines": "\(lost)"]))
    }
    Self.standardError(line(level, message, fields))
  }

  private func line(
    _ level: Level, _ message: StaticString, _ fields: KeyValuePairs<StaticString, String>
  ) -> String {
    let milliseconds = Int((time.now * 1000).rounded(.down))
    let second = timestamp(EpochSeconds(milliseconds / 1000), in: .utc).dropLast()
    let now = "\(second).\(String(milliseconds % 1000 + 1000).dropFirst())Z"
    let priority = isForJournal ? level.priority : ""
    switch format {
    case .text:
      var line = "\(priority)\(now) \(level) \(message)"
      for (name, value) in fields { line += " \(name)=\(Self.quoted(value))" }
      return line + "\n"
    case .json:
      var members: [JSON.Member] = [
        .init("time", .string(now)), .init("level", .string(level.rawValue)), .init("message", .string("\(message)")),
      ]
      for (name, value) in fields { members.append(.init("\(name)", .string(value))) }
      return priority + JSON.object(members).text + "\n"
    }
  }

  /// The value, quoted unless it is one plain word, so that it cannot break the line apart.
  private static func quoted(_ value: String) -> String {
    let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 32 && $0 != 34 && $0 != 92 && $0 != 127 }
    if isPlain { return value }
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case _ where scalar.value < 32 || scalar.value == 127: text += "\\x" + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// True if systemd has connected standard error to its journal (systemd.exec(5)).
  private static let isJournal: Bool = {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(2, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }()

  /// The lines that were lost since somebody took one.
  private static let lost = Atomic<Int>(0)

  /// Nobody reads behind a terminal that Ctrl-S has stopped, or a pager: a line is lost after a second then, and those
  /// that follow at once, rather than that the whole program stands still.
  /// - Returns: false if a line is lost.
  private static func isRead() -> Bool {
    var ready = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
    if poll(&ready, 1, lost.load(ordering: .relaxed) == 0 ? 1_000 : 0) != 0 { return true }
    lost.wrappingAdd(1, ordering: .relaxed)
    return false
  }

  /// Writes to standard error, and waits until somebody takes it: what a command says is not lost in a pager.
  public static let standardError: @Sendable (String) -> Void = { line in
    var line = line
    line.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
