import Glibc

/// The library that is preloaded into programs we start (Shim): it says when they may be looked at, and knows where
/// their blocks were allocated.
public struct Shim: Sendable {
  /// Whether each block knows the calls that allocated it.
  public var hasStacks = false
  /// A signal that the shim handles in the program, by having it looked at.
  public var signal: Int32?
  /// Whether its lines are to be written at once, also when its output is no terminal.
  public var writesLines = false

  public init() {}

  static let file = "libmemorygraph-shim.so"
  /// Not one of Eightbells' own: a hub under watch refuses those that it does not know.
  private static let variable = "MEMORYGRAPH_RUN"

  /// The environment of a program with the shim in it: ours, byte by byte, and two variables that the shim takes out
  /// for the programs which that one starts.
  /// - Parameter ignoresChildren: what our caller has decreed for SIGCHLD, see the shim.
  func environment(socket: String, ignoresChildren: Bool) throws(CaptureError) -> [[CChar]] {
    var preloaded = Array("LD_PRELOAD=\(try Self.library())".utf8CString.dropLast())
    var variables: [[CChar]] = []
    var entry = environ
    while let text = entry.pointee {
      func begins(_ name: String) -> Bool { strncmp(text, name, name.utf8.count) == 0 }
      let bytes = Array(UnsafeBufferPointer(start: text, count: strlen(text) + 1))
      if begins("LD_PRELOAD=") {
        let before = bytes.dropFirst("LD_PRELOAD=".utf8.count).dropLast()
        if !before.isEmpty { preloaded += [CChar(UInt8(ascii: ":"))] + before }
      } else if !begins(Self.variable + "=") {
        variables.append(bytes)
      }
      entry += 1
    }
    let wanted = "-" + (hasStacks ? "s" : "") + (writesLines ? "l" : "") + (ignoresChildren ? "C" : "")
    let own = "\(Self.variable)=\(getpid()) \(socket) \(wanted) \(signal ?? 0)"
    return variables + [preloaded + [0], Array(own.utf8CString)]
  }

  /// It stands beside this program.
  private static func library() throws(CaptureError) -> String {
    guard let program = realpath("/proc/self/exe", nil) else {
      throw CaptureError(.refused, "/proc/self/exe cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { free(program) }
    let folder = String(cString: program).split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/\(file)"
    guard access(path, R_OK) == 0 else {
      throw CaptureError(
        .refused, "\(path) was not found: it is accepted beside this program, where bin/build puts it.")
    }
    guard !path.contains(where: { " :".contains($0) }) else {
      throw CaptureError(
        .refused, "\(path) cannot be preloaded (LD_PRELOAD): a path without spaces and colons is accepted.")
    }
    return path
  }
}
