import Crypto
import Glibc
public import Store
public import Terminal

/// A move of a folder's records to a server, or back, which is noted in the folder until it is done: nobody else uses
/// the records meanwhile, so one that was cut short can go on.
public struct FolderMove: Equatable, Sendable {
  /// The same for each attempt.
  public let name: String
  /// True from the folder to the server.
  public let isToServer: Bool
  public let address: ServerAddress
  private let text: String
  private let folder: String

  private var note: String { Self.note(folder) }
  private static func note(_ folder: String) -> String { "\(folder)/store.moving" }

  /// A new move.
  public init(_ folder: DataFolder, isToServer: Bool, address text: String) throws(CommandError) {
    try self.init(Digest.hex(Digest.random(8)), isToServer, text, folder.path)
  }

  private init(_ name: String, _ isToServer: Bool, _ text: String, _ folder: String) throws(CommandError) {
    do throws(StoreError) { address = try ServerAddress(text) } catch { throw CommandError(storeError: error) }
    (self.name, self.isToServer, self.text, self.folder) = (name, isToServer, text, folder)
  }

  /// The move that was begun in a folder; nil if there is none.
  public init?(in folder: DataFolder) throws(CommandError) {
    guard access(Self.note(folder.path), F_OK) == 0, let bytes = try PrivateFile.read(Self.note(folder.path)) else {
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.count == 3, ["to", "from"].contains(lines[1]) else {
      throw CommandError("\(Self.note(folder.path)) is not what eightbells store move has written.")
    }
    try self.init(lines[0], lines[1] == "to", lines[2], folder.path)
  }

  /// Notes that it has begun.
  public func begin() throws(CommandError) {
    try PrivateFile.write(note, Array("\(name)\n\(isToServer ? "to" : "from")\n\(text)\n".utf8))
  }

  /// Forgets it.
  public func end() { unlink(note) }

  /// The words that go on with it. The address is as it was given: one with a password is not taken.
  public var command: String {
    let ends = isToServer ? (folder, text) : (text, folder)
    return "eightbells store move --from \(ends.0.shellWord) --to \(ends.1.shellWord)"
  }
}
