import Glibc

/// The library (Shim) that is preloaded into programs started by this tool: it requests looks, and records where blocks
/// were allocated.
public struct Shim: Sendable {
  /// True to record the calls that allocate each block.
  public var hasStacks = false
  /// A signal that the shim handles by requesting a look.
  public var signal: Int32?
  /// True to have output written line by line, also when it is not a terminal.
  public var writesLines = false

  public init() {}

  static let file = "libmemorygraph-shim.so"
  /// Without the prefix EIGHTBELLS_, since a hub refuses variables with it that it does not know.
  private static let variable = "MEMORYGRAPH_RUN"

  /// The environment of a program with the shim: this process' own, byte by byte, and two variables that the shim
  /// removes before the program starts others.
  /// - Parameter ignoresChildren: true if SIGCHLD was ignored when this tool was started; see the shim.
  func environment(socket: String, ignoresChildren: Bool) throws(CaptureError) -> [[CChar]] {
    var preloaded = Array("LD_PRELOAD=\(try Self.library())".utf8CString.dropLast())
    if let before = getenv("LD_PRELOAD"), before.pointee != 0 {
      preloaded += [CChar(UInt8(ascii: ":"))] + UnsafeBufferPointer(start: before, count: strlen(before))
    }
    var variables: [[CChar]] = []
    var entry = environ
    while let text = entry.pointee {
      func begins(_ name: String) -> Bool { strncmp(text, name + "=", name.utf8.count + 1) == 0 }
      if !begins("LD_PRELOAD"), !begins(Self.variable) {
        variables.append(Array(UnsafeBufferPointer(start: text, count: strlen(text) + 1)))
      }
      entry += 1
    }
    let wanted = "-" + (hasStacks ? "s" : "") + (writesLines ? "l" : "") + (ignoresChildren ? "C" : "")
    let own = "\(Self.variable)=\(getpid()) \(socket) \(wanted) \(signal ?? 0)"
    return variables + [preloaded + [0], Array(own.utf8CString)]
  }

  /// The library's path, beside this program.
  private static func library() throws(CaptureError) -> String {
    guard let program = realPath("/proc/self/exe") else {
      throw CaptureError(.refused, "/proc/self/exe cannot be read: \(String(cString: strerror(errno))).")
    }
    let path = "\(folder(of: program))/\(file)"
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
