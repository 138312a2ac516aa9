import CLinux
import Glibc
import Terminal

/// `eightbells memory`: becomes `memorygraph`, a program of its own that finds leaks in running Swift programs
/// (Packages/MemoryGraph).
enum MemoryGraphCommand {
  /// - Throws: when the program is not beside this one, or cannot be run.
  static func run() throws(CommandError) -> Never {
    let program = try ownFolder() + "/memorygraph"
    guard access(program, X_OK) == 0 else {
      throw failed("\(program) is missing, which looks into running programs; bin/build memorygraph puts it there.")
    }
    // The arguments byte by byte. The first word is the name that the program uses in its messages.
    let words = clinux_arguments()!
    if strcmp(words[1]!, "help") == 0 { words[2] = strdup("--help") }
    words[1] = strdup("eightbells memory")
    // This process ignores the signal; `memorygraph` and its children need the default.
    signal(SIGPIPE, SIG_DFL)
    execv(program, words + 1)
    throw failed("\(program) cannot be run: \(String(cString: strerror(errno))).")
  }

  /// The folder of this program's file, with links resolved.
  private static func ownFolder() throws(CommandError) -> String {
    guard let path = realpath("/proc/self/exe", nil) else {
      throw failed("/proc/self/exe cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { free(path) }
    return String(cString: path).split(separator: "/").dropLast().map { "/" + $0 }.joined()
  }

  /// `memorygraph` exits with 2 when it fails; 1 would mean leaks.
  private static func failed(_ message: String) -> CommandError {
    var error = CommandError(message)
    error.exitCode = 2
    return error
  }
}
