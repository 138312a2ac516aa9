import Foundation

/// A folder of its own for one test; gone when the last reference is.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() {
    let folder = FileManager.default.temporaryDirectory.appending(path: "eightbells-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("cannot make a temporary folder: \(error)")
    }
    path = folder.path()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Makes or replaces a file.
  public func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: path).appending(path: name))
  }

  public func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path).appending(path: name)))
  }
}
