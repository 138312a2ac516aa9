import Analysis
import CPtrace
import Capture
import Glibc
import Graph

/// This process, as `memorygraph` sees it.
enum OwnProcess {
  /// Looks twice if something seems lost, as `memorygraph` does.
  static func look() throws -> Examination {
    // Where only parents may trace, the tool is our child.
    cptrace_allow_any_tracer()
    let folder = try Folder()
    let (snapshot, problems) = (folder.path + "/snapshot", folder.path + "/problems")
    let code = try run(try tool(), ["leaks", "\(getpid())", "--snapshot", snapshot], problems: problems)
    guard code == 0 || code == 1 else {
      var said = String(decoding: try bytes(of: problems), as: UTF8.self)
      // It has looked, and says "no leaks" of a part only.
      if said.isEmpty, let kept = try? GraphFile(try bytes(of: snapshot)) {
        said = kept.graph.damage.map(\.sentence).joined(separator: " ")
      }
      throw LeakTestingError(message: said.isEmpty ? "memorygraph ended with \(code)." : said)
    }
    return Examination(try GraphFile(try bytes(of: snapshot)).graph)
  }

  /// Where `memorygraph` is.
  private static func tool() throws -> String {
    if let named = getenv("EIGHTBELLS_MEMORYGRAPH") { return String(cString: named) }
    var folders = getenv("PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
    // Beside what this code was built into.
    let code: @convention(c) () -> Void = {}
    let here = UInt64(UInt(bitPattern: unsafeBitCast(code, to: UnsafeRawPointer.self)))
    let mappings = Mapping.parse(ProcessFiles(getpid()).text("maps") ?? "")
    if let path = mappings.first(where: { $0.start <= here && here < $0.end })?.path,
      let end = path.lastIndex(of: "/")
    {
      folders.insert(String(path[..<end]), at: 0)
    }
    for folder in folders where access("\(folder)/memorygraph", X_OK) == 0 { return "\(folder)/memorygraph" }
    throw LeakTestingError(
      message: "memorygraph was not found; EIGHTBELLS_MEMORYGRAPH can name it. Looked at: \(folders).")
  }

  private static func run(_ program: String, _ words: [String], problems: String) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, problems, O_WRONLY | O_CREAT, 0o600)
    let arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { (word: String) in strdup(word) }
    defer { arguments.forEach { free($0) } }
    var process = pid_t()
    let code = posix_spawn(&process, program, &actions, nil, arguments + [nil], environ)
    guard code == 0 else {
      throw LeakTestingError(message: "\(program) cannot be started: \(String(cString: strerror(code))).")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw LeakTestingError(message: "\(program) was waited for by somebody else.") }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "re") else {
      throw LeakTestingError(message: "Cannot read \(path): \(String(cString: strerror(errno))).")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
  }

  /// A folder for one look, which goes with it.
  private final class Folder {
    let path: String

    init() throws {
      var name = Array("/tmp/leaktesting-XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else {
        throw LeakTestingError(message: "No folder in /tmp: \(String(cString: strerror(errno))).")
      }
      path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
      for name in ["snapshot", "problems"] { unlink("\(path)/\(name)") }
      rmdir(path)
    }
  }
}
