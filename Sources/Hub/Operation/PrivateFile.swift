import Crypto
import Glibc
public import Terminal

/// Files that only their owner may read, complete and on the disk before they have their name.
public enum PrivateFile {
  /// Keys and certificates have some kilobytes.
  private static let limit = 64 << 10

  /// Makes a folder, unless it is there.
  public static func makeFolder(_ path: String) throws(CommandError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .file("make the folder", path) }
  }

  /// Writes a file in the place of an older one.
  public static func write(_ path: String, _ bytes: [UInt8]) throws(CommandError) {
    let draft = try Self.draft(path, bytes)
    guard rename(draft, path) == 0 else { throw .file("write", path) }
  }

  /// Makes a file.
  /// - Returns: false if there is one of that name already, which stays as it is.
  public static func make(_ path: String, _ bytes: [UInt8]) throws(CommandError) -> Bool {
    let draft = try Self.draft(path, bytes)
    defer { unlink(draft) }
    if link(draft, path) == 0 { return true }
    guard errno == EEXIST else { throw .file("make", path) }
    return false
  }

  /// The file's bytes; nil if there is none.
  public static func read(_ path: String) throws(CommandError) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw .file("read", path)
    }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count >= 0 else { throw .file("read", path) }
    guard count <= limit else { throw CommandError("Cannot read \(path): it has more than \(limit >> 10) KB.") }
    return Array(bytes[..<count])
  }

  private static func draft(_ path: String, _ bytes: [UInt8]) throws(CommandError) -> String {
    let draft = "\(path).\(Digest.hex(Digest.random(4)))"
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .file("write", path) }
    defer { close(file) }
    guard Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
      let error = CommandError.file("write", path)
      unlink(draft)
      throw error
    }
    return draft
  }
}

extension CommandError {
  /// A call for a file that has just failed.
  public static func file(_ what: String, _ path: String) -> CommandError {
    CommandError("Cannot \(what) \(path): \(String(cString: strerror(errno))).")
  }
}
