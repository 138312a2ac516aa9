import Glibc
import Wire

/// A file with a key ring, which only its owner may read (0600).
public struct KeyFile: Sendable {
  public let path: String

  public init(_ path: String) { self.path = path }

  /// The ring in the file; an empty one if there is no file.
  /// - Throws: if the file cannot be read, has no keys, or others may read it.
  public func read() throws(SealedError) -> KeyRing {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if file < 0, errno == ENOENT { return KeyRing() }
    guard file >= 0 else { throw failure("read") }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SealedError("\(path) is no plain file; a file of keys is accepted.")
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw SealedError("\(path) can be read by others (mode \(mode)); 600 is accepted.")
    }
    guard status.st_size <= SealedLimits.ringBytes else {
      throw SealedError("\(path) has \(status.st_size) bytes; at most \(SealedLimits.ringBytes) are accepted.")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, $0.count - filled) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("read") }
      filled += count
    }
    return try KeyFile.ring(bytes, of: path)
  }

  /// The ring in a file's bytes.
  public static func ring(_ bytes: [UInt8], of path: String) throws(SealedError) -> KeyRing {
    // The parser's own words might show a part of a key.
    guard let json = try? JSON(parsing: bytes) else {
      throw SealedError("\(path) holds no JSON; a file of keys is accepted.")
    }
    do throws(SealedError) {
      return try KeyRing(json)
    } catch {
      throw SealedError("\(path): \(error.message)")
    }
  }

  /// Writes the ring: complete and synced under another name, then renamed.
  public func write(_ ring: KeyRing) throws(SealedError) {
    let draft = "\(path).new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("written") }
    let bytes = ring.json.bytes + [10]
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, $0.count - written) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      written += count
    }
    let isWritten = written == bytes.count && fsync(file) == 0
    close(file)
    guard isWritten, rename(draft, path) == 0 else { throw failure("written") }
  }

  /// Changes the ring in the file.
  public func change(_ body: (inout KeyRing) throws(SealedError) -> Void) throws(SealedError) {
    var ring = try read()
    try body(&ring)
    try write(ring)
  }

  private func failure(_ what: String) -> SealedError {
    SealedError("\(path) cannot be \(what): \(String(cString: strerror(errno))).")
  }
}
