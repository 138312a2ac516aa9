import CLinux
import EventLoop
import Glibc

/// A process that gets three descriptors and nothing else: no other descriptor, no environment. Confined to its loop.
final class ChildProcess {
  private let loop: EventLoop
  private let process: pid_t
  /// The status by waitpid(2); nil while it runs.
  private(set) var status: Int32?

  /// Seconds between two looks at a process that is ending.
  private static let lookSeconds = 0.01

  /// - Parameter descriptors: its standard input, output and error; -1 for none. They stay the caller's.
  /// - Throws: why it cannot be started, in words.
  init(_ program: String, _ arguments: [String], _ descriptors: [Int32], loop: EventLoop) throws(PictureError) {
    self.loop = loop
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("LC_ALL=C"), nil]
    defer { for one in words + environment { free(one) } }
    let started = clinux_spawn(program, &words, &environment, descriptors)
    guard started > 0 else { throw .helperFailed("\(program): \(String(cString: strerror(-started)))") }
    process = started
  }

  /// Ends it by force.
  func kill() {
    // Until it is waited for, its number is nobody else's.
    if status == nil { _ = Glibc.kill(process, SIGKILL) }
  }

  /// Ends it by force and waits for that, which is a matter of moments: for the end of everything, when nobody may turn
  /// the loop any more. A process that nobody waits for stays in the system's table.
  func end() {
    guard status == nil else { return }
    kill()
    var code: Int32 = 0
    while waitpid(process, &code, 0) < 0 && errno == EINTR {}
    status = code
  }

  /// Calls `done` with waitpid's word once it has ended, which must be soon: it is looked at again and again.
  func wait(_ done: @escaping (Int32) -> Void) {
    if let status { return done(status) }
    var code: Int32 = 0
    let found = waitpid(process, &code, WNOHANG)
    if found == 0 || found < 0 && errno == EINTR {
      loop.schedule(after: Self.lookSeconds) { [self] in wait(done) }
      return
    }
    status = code
    done(code)
  }

  /// Its end, in words.
  static func words(_ status: Int32) -> String {
    let (signal, code) = (status & 0x7f, status >> 8 & 0xff)
    return signal == 0 ? "status \(code)" : "signal \(signal)"
  }
}
