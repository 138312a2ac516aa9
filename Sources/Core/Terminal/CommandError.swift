import Glibc
import Observe

/// The failure of a command with its exit status: 1 when something failed, 2 when the command line was wrong.
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

/// Writes lines to standard error, with control characters of other people's text made harmless.
public func printError(_ text: String) {
  Log.standardError(Layout.plainLines(text) + "\n")
}

/// Writes out what was printed.
/// - Throws: if that fails, as on a full disk. A reader that has read enough, such as `head`, is no failure.
public func flushOutput() throws(CommandError) {
  if fflush(nil) != 0, errno != EPIPE {
    throw CommandError("Standard output cannot be written: \(String(cString: strerror(errno))).")
  }
}

/// The process' environment variables.
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
