import EventLoop
import Glibc

/// A process that gets three descriptors and nothing else: no other descriptor, no environment. Confined to its loop.
final class ChildProcess {
  private let loop: EventLoop
  private let process: pid_t
  /// What waitpid(2) said; nil while it runs.
  private(set) var status: Int32?

  /// Seconds between two looks at a process that is ending.
  private static let lookSeconds = 0.01

  /// - Parameter descriptors: its standard input, output and error; -1 for none. They stay the caller's.
  /// - Throws: why it cannot be started, in words.
  init(_ program: String, _ arguments: [String], _ descriptors: [Int32], loop: EventLoop) throws(PictureError) {
    self.loop = loop
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // First out of the way: one of them may have the number that another is to get.
    let spare = Int(descriptors.max() ?? 0) + 10
    for (number, one) in descriptors.enumerated() where one >= 0 {
      posix_spawn_file_actions_adddup2(&actions, one, Int32(spare + number))
    }
    for (number, one) in descriptors.enumerated() {
      if one >= 0 {
        posix_spawn_file_actions_adddup2(&actions, Int32(spare + number), Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
      }
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    posix_spawn_file_actions_addchdir_np(&actions, "/")
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("LC_ALL=C"), nil]
    defer { for one in words + environment { free(one) } }
    var started: pid_t = 0
    let code = posix_spawn(&started, program, &actions, &attributes, &words, &environment)
    guard code == 0 else { throw .helperFailed("\(program): \(String(cString: strerror(code)))") }
    process = started
  }

  /// Ends it by force.
  func kill() {
    // Until it is waited for, its number is nobody else's.
    if status == nil { _ = Glibc.kill(process, SIGKILL) }
  }

  /// Calls `done` with waitpid's word once it has ended, which must be soon: it is looked at again and again.
  func wait(_ done: @escaping (Int32) -> Void) {
    var code: Int32 = 0
    let found = waitpid(process, &code, WNOHANG)
    if found == 0 || found < 0 && errno == EINTR {
      loop.schedule(after: Self.lookSeconds) { [self] in wait(done) }
      return
    }
    status = code
    done(code)
  }

  /// How it ended, in words.
  static func words(_ status: Int32) -> String {
    let (signal, code) = (status & 0x7f, status >> 8 & 0xff)
    return signal == 0 ? "status \(code)" : "signal \(signal)"
  }
}
