import Device
import Glibc
import Sealed
import Settings
import Terminal
import Wire

/// The keys of private messages in the agent's folder, and `eightbells-agent key add|list|forget|open`.
final class AgentKeys {
  static let word = "key"
  private static let file = "private-keys.json"

  private let folder: StateFolder

  init(_ folder: StateFolder) { self.folder = folder }

  // MARK: Opening

  /// A content with its private part; nil if there is none, or no key opens it. The file is read each time, since keys
  /// are added while the agent runs.
  func opened(_ content: JSON) -> JSON? {
    guard Self.isSealed(content), let bytes = folder.read(Self.file, atMost: SealedLimits.ringBytes),
      let ring = try? KeyFile.ring(bytes, of: Self.file),
      case .opened(let opened) = SealedContent.open(content, with: ring)
    else { return nil }
    return opened.withoutFiles
  }

  /// True if a content has a private part that was not opened.
  static func isSealed(_ content: JSON) -> Bool { content["sealed"] != nil }

  // MARK: Commands

  static func verbs(_ program: String, _ name: String) -> [Verb] {
    let beginning = name.isEmpty ? word : "\(name) \(word)"
    let options = AgentOptions.all.filter { ["token", "state"].contains($0.name) }
    func verb(_ last: String, _ operands: [String], printsData: Bool = false, _ summary: String) -> Verb {
      Verb(
        "\(beginning) \(last)", program: program, operands: operands,
        usage: "[--token SECRET] [--state DIR]" + (printsData ? " [--json]" : ""),
        options: options + (printsData ? [Verb.json] : []), summary: summary)
    }
    return [
      verb(
        "add", ["LINK"],
        """
        Takes a key, as a link of the page /bells or of `eightbells key create`; - reads it from standard input, which \
        other users cannot see. A running agent has it at once.
        """),
      verb("list", [], printsData: true, "Lists the ids of the agent's keys: the current one, and older ones."),
      verb("forget", ["ID"], "Forgets a key: messages sealed with it are not opened any more."),
      verb(
        "open", ["FILE"],
        """
        Opens a sealed file that was fetched, and writes it to standard output; standard input is the attachment's \
        entry in the notification.
        """),
    ]
  }

  static func run(_ words: [String], program: String, name: String) throws(CommandError) {
    let (verb, arguments) = try Verb.choose(
      among: verbs(program, name), words, summary: "Looks after the keys of private messages.")
    do throws(SealedError) {
      if verb.lastWord == "open" { return try open(arguments.words[0]) }
      let file = try file(verb, arguments)
      switch verb.lastWord {
      case "add":
        let key = try PrivateKey(argument: arguments.words[0])
        try file.change { ring throws(SealedError) in try ring.add(key) }
        print("Added the key \(key.id).")
      case "forget":
        let id = arguments.words[0]
        guard try file.read().key(id) != nil else {
          throw SealedError("There is no key \(Layout.plain(id)); `key list` shows those there are.")
        }
        try file.change { $0.forget(id) }
        print("Forgotten: \(id)")
      default:
        let states = try file.read().states
        if arguments.has("json") { return print(KeyRing.json(states).text) }
        if states.isEmpty { print("There is no key yet.") }
        for (id, state) in states { print("\(id)  \(state.rawValue)") }
      }
    } catch {
      throw CommandError(error.message)
    }
  }

  /// The file in the folder of the agent that the options name; the folder is made for an agent that has not run yet.
  private static func file(_ verb: Verb, _ arguments: Arguments) throws(SealedError) -> KeyFile {
    do {
      let path = StateFolder.inUse(try AgentOptions.stateForLastWords(arguments, verb))
      let folder = try verb.lastWord == "add" ? StateFolder(path) : StateFolder(reading: path)
      return KeyFile("\(folder.path)/\(file)")
    } catch let error as CommandError {
      throw SealedError(error.message)
    } catch let error as DeviceError {
      throw SealedError(error.message)
    } catch {
      throw SealedError("\(error)")
    }
  }

  private static func open(_ path: String) throws(SealedError) {
    guard let input = fdopen(dup(STDIN_FILENO), "r") else { throw SealedError("There is no standard input.") }
    defer { fclose(input) }
    let entry = try bytes(of: input, "standard input", atMost: SealedLimits.ringBytes)
    guard let file = fopen(path, "r") else {
      throw SealedError("\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { fclose(file) }
    let sealed = try bytes(of: file, path, atMost: SealedLimits.sealedFileBytes)
    guard let attachment = try? JSON(parsing: entry), let opened = SealedFile.open(sealed, attachment) else {
      throw SealedError(
        "\(path) cannot be opened: it is not the file of this entry; its \"key\" and \"size\" are needed.")
    }
    var rest = opened[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw SealedError("Standard output cannot be written: \(String(cString: strerror(errno))).")
      }
      rest = rest.dropFirst(count)
    }
  }

  private static func bytes(
    of file: UnsafeMutablePointer<FILE>, _ name: String, atMost limit: Int
  ) throws(SealedError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard count <= limit else { throw SealedError("\(name) has more than \(limit) bytes.") }
    return Array(bytes.prefix(count))
  }
}
