import Glibc

/// The files of a voice pack: in a folder, or unpacked into memory.
enum PackFiles: Sendable {
  case folder(String)
  case memory([String: [UInt8]])

  func bytes(of name: String, atMost limit: Int) throws(VoiceError) -> [UInt8] {
    switch self {
    case .memory(let files):
      guard let bytes = files[name] else { throw VoiceError(.unreadable, file: name, seen: "there is no such file") }
      guard bytes.count <= limit else { throw Self.tooLarge(name, limit) }
      return bytes
    case .folder(let folder): return try Self.read("\(folder)/\(name)", name, limit)
    }
  }

  /// - Parameter name: with which errors name the file.
  static func read(_ path: String, _ name: String, _ limit: Int) throws(VoiceError) -> [UInt8] {
    // A pipe would be waited for.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      let number = errno
      let seen = number == ENOENT ? "there is no such file" : "it cannot be read: \(String(cString: strerror(number)))"
      throw VoiceError(.unreadable, file: name, seen: seen)
    }
    defer { close(file) }
    var about = stat()
    guard fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
      throw VoiceError(.unreadable, file: name, seen: "it is no file", accepted: "a file with sound is needed")
    }
    guard about.st_size <= limit else { throw tooLarge(name, limit) }
    var bytes = [UInt8](repeating: 0, count: Int(about.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, $0.count - filled) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        let reason = String(cString: strerror(errno))
        throw VoiceError(.unreadable, file: name, seen: "it cannot be read: \(reason)")
      }
      if count == 0 { break }
      filled += count
    }
    bytes.removeSubrange(filled...)
    return bytes
  }

  private static func tooLarge(_ name: String, _ limit: Int) -> VoiceError {
    VoiceError(.tooLarge, file: name, seen: "it is too large", accepted: "at most \(limit >> 10) KB are accepted")
  }
}
