import Foundation

/// A folder for one test. All of them are removed when the tests end, not before: SQLite distinguishes open files by
/// their inodes, and a new file may get the inode of one that was removed while a connection had it open.
public final class TemporaryFolder: Sendable {
  public let path: String

  private static let all: URL = {
    let folder = FileManager.default.temporaryDirectory.appending(path: "eightbells-\(UUID().uuidString)")
    atexit { try? FileManager.default.removeItem(at: TemporaryFolder.all) }
    return folder
  }()

  public init() {
    let folder = Self.all.appending(path: UUID().uuidString)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("cannot make a temporary folder: \(error)")
    }
    path = folder.path()
  }

  /// One that is there already, and stays: for a program that others start again.
  public init(keeping path: String) { self.path = path }

  /// Makes or replaces a file.
  public func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: path).appending(path: name))
  }

  public func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path).appending(path: name)))
  }
}
