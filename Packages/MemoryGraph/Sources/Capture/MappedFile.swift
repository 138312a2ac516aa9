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
