import Glibc

/// Opens a file that a process has mapped, for reading; a negative number without one.
///
/// The name comes from the process, or from a core file, and may be that of anything: the opening of a FIFO would wait
/// for its writer, and that of a device may do something.
///
/// The program's own file can be opened even when another one has taken its place, as a new build does: its name ends
/// with "(deleted)" then.
///
/// - Parameter process: its number, as it may see other files than this tool, in a container; 0 for this tool's view.
package func openMapped(_ path: String, of process: Int32 = 0) -> Int32 {
  let isReplaced = path.hasSuffix(" (deleted)") && ProcessFiles(process).link("exe") == path
  for name in isReplaced ? ["/proc/\(process)/exe"] : ["/proc/\(process)/root\(path)", path] {
    let file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { continue }
    var found = stat()
    if fstat(file, &found) == 0, found.st_mode & S_IFMT == S_IFREG { return file }
    close(file)
  }
  return -1
}

/// A path without links; nil with errno.
package func realPath(_ path: String) -> String? {
  guard let found = realpath(path, nil) else { return nil }
  defer { free(found) }
  return String(cString: found)
}

package func folder(of path: String) -> String {
  path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
}

/// Where a link leads; nil for anything else.
package func target(ofLink path: String) -> String? {
  var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = bytes.withUnsafeMutableBytes {
    readlink(path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
  }
  return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
}

/// All bytes of an open file, of a longer one somewhat more than `most`; nil with errno.
package func bytes(of file: Int32, most: Int) -> [UInt8]? {
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while bytes.count <= most {
    let count = read(file, &piece, piece.count)
    if count < 0, errno == EINTR { continue }
    if count < 0 { return nil }
    if count == 0 { break }
    bytes += piece[..<count]
  }
  return bytes
}
