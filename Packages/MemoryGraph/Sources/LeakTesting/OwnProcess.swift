import CPtrace
import Glibc

/// The state of this process before a body, examined by `memorygraph`. All data about it is in files and in the tool:
/// addresses kept here would look like references at the next look.
final class OwnProcess: Sendable {
  private let tool: String
  private let folder: Folder

  /// Takes a look at this process. Objects being moved now that seem lost do not matter, so one look is enough.
  init() throws {
    // Where only parents may trace, the tool is this process' child.
    cptrace_allow_any_tracer()
    tool = try Self.tool()
    folder = try Folder()
    try look(["--once", "--snapshot", folder.before])
  }

  /// The leaks now that did not exist then.
  func newLeaks() throws -> [Leak] {
    try look(["--since", folder.before])
    let look = try told()
    var types: [String: Set<String>] = [:]
    for leak in look["leaks"].elements { types[leak["finding"].text, default: []].insert(leak["type"].text) }
    return look["findings"].elements.map { Leak($0, types: types[$0["id"].text] ?? []) }
  }

  private func look(_ options: [String]) throws {
    let words = ["leaks", "\(getpid())", "--by-counts", "--json", folder.told] + options
    let code = try Self.run(tool, words, problems: folder.problems)
    let problems = String(decoding: try Self.bytes(of: folder.problems), as: UTF8.self)
    if code != 0, code != 1 {
      // The look was taken, but "no leaks" is true for a part only.
      let damage = problems.isEmpty ? (try? told())?["damage"].elements.map(\.["what"].text) ?? [] : []
      let said = damage.isEmpty ? problems : damage.joined(separator: " ")
      throw LeakTestingError(message: said.isEmpty ? "memorygraph ended with \(code)." : said)
    }
  }

  private func told() throws -> JSONValue {
    guard let told = JSONValue(try Self.bytes(of: folder.told)) else {
      throw LeakTestingError(message: "What \(tool) has told is no JSON.")
    }
    return told
  }

  private static func tool() throws -> String {
    if let named = getenv("EIGHTBELLS_MEMORYGRAPH") { return String(cString: named) }
    var folders = getenv("PATH").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    let program = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let end = program.lastIndex(of: "/") { folders.insert(String(program[..<end]), at: 0) }
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
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, problems, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
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

  /// A folder for the looks, removed with this object.
  private final class Folder: Sendable {
    private let path: String
    var before: String { path + "/before" }
    var told: String { path + "/told" }
    var problems: String { path + "/problems" }

    init() throws {
      var name = Array("/tmp/leaktesting-XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else {
        throw LeakTestingError(message: "No folder in /tmp: \(String(cString: strerror(errno))).")
      }
      path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
      for file in [before, told, problems] { unlink(file) }
      rmdir(path)
    }
  }
}
