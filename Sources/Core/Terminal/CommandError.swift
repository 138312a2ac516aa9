import Glibc
import Observe

/// What a command could not do, and how it ends: 1 when something failed, 2 when it was called wrongly.
public struct CommandError: Error {
  public var message: String
  public var exitCode: Int32

  public init(_ message: String) {
    self.message = message
    exitCode = 1
  }
  public init(usage message: String) {
    self.message = message
    exitCode = 2
  }
}

/// Writes lines to standard error; others' words in them do nothing to the terminal.
public func printError(_ text: String) {
  Log.standardError(Layout.plainLines(text) + "\n")
}

/// The process's variables.
public func environment() -> [String: String] {
  var found: [String: String] = [:]
  var entry = environ
  while let variable = entry.pointee {
    let parts = String(cString: variable).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
    entry += 1
  }
  return found
}
