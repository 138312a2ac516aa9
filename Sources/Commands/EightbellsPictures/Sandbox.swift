import CSandbox
import Glibc
import Imaging

/// Gives up the rights of this process.
enum Sandbox {
  /// To be called once everything is open that decoding needs.
  /// - Returns: the level reached, in words.
  static func closeDecoder() throws(Failure) -> (level: String, hasLandlock: Bool) {
    try must(csandbox_keep_low(), "no new privileges")
    try must(csandbox_no_core(), "no core file")
    try must(csandbox_limit_file(0), "a limit of files")
    try must(csandbox_limit_memory(ImagingLimits.decoderBytes), "a limit of memory")
    var none: [UnsafePointer<CChar>?] = [nil]
    // Afterwards the kernel cannot be asked.
    let version = csandbox_landlock_abi()
    let hasLandlock = csandbox_close_files(&none, &none, -1, -1) == 0
    // Without seccomp nothing is decoded: strangers' pictures are the way into a process.
    try must(csandbox_allow_computing(), "seccomp")
    return (level(hasLandlock ? version : 0), hasLandlock)
  }

  /// Before the process becomes ffmpeg or ffprobe: libraries can be read, two files opened again, and nothing else.
  /// - Parameter longest: the bytes of the file that is written; 0: none is.
  static func closeConverter(_ program: String, longest: Int, seconds: Double) throws(Failure) {
    try must(csandbox_keep_low(), "no new privileges")
    try must(csandbox_no_core(), "no core file")
    try must(csandbox_limit_file(longest), "a limit of files")
    try must(csandbox_limit_memory(ImagingLimits.videoBytes), "a limit of memory")
    try must(csandbox_limit_seconds(Int(2 * seconds)), "a limit of time")
    try must(csandbox_limit_descriptors(64), "a limit of descriptors")
    csandbox_step_back(10)
    let folders = ["/usr/lib", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/urandom"]
    let loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", program]
    var reading: [UnsafePointer<CChar>?] = folders.map { UnsafePointer(strdup($0)) } + [nil]
    var running: [UnsafePointer<CChar>?] = loaders.map { UnsafePointer(strdup($0)) } + [nil]
    // Seccomp cannot tell one file from another: without Landlock all of the hub's could be opened.
    try must(csandbox_close_files(&reading, &running, 0, longest > 0 ? 1 : -1), "Landlock")
    try must(csandbox_refuse_outside(), "seccomp")
  }

  private static func level(_ version: Int32) -> String {
    let landlock = version > 0 ? "Landlock \(version)" : "no Landlock"
    return "\(landlock), seccomp, \(ImagingLimits.decoderBytes >> 20) MB"
  }

  struct Failure: Error {
    var words: String
  }

  private static func must(_ code: Int32, _ what: String) throws(Failure) {
    guard code != 0 else { return }
    throw Failure(words: "\(what) is refused: \(String(cString: strerror(errno)))")
  }

  // MARK: Attempts

  /// Tries what must not be possible, and says what was.
  /// - Returns: true if nothing was.
  static func tryAll(_ say: (String) -> Void) -> Bool {
    attempt(
      [
        ("open /etc/passwd", { csandbox_try_open("/etc/passwd") }),
        ("open /proc/self/mem", { csandbox_try_open("/proc/self/mem") }),
        ("open a new file", { open("/tmp/eightbells-pictures-test", O_CREAT | O_WRONLY, 0o600) < 0 ? -1 : 0 }),
        ("socket", csandbox_try_socket), ("ptrace", csandbox_try_trace),
        ("execve", { csandbox_try_execute("/bin/true") }), ("fork", csandbox_try_fork),
        ("kill", csandbox_try_kill_parent), ("executable memory", csandbox_try_executable_memory),
        ("process_vm_readv", csandbox_try_read_process),
      ], say)
  }

  /// Tries what ffmpeg must not do to other processes and to files; most of what `tryAll` tries would be refused by a
  /// file's rights.
  static func tryOthers(_ say: (String) -> Void) -> Bool {
    attempt(
      [
        ("open /etc/passwd", { csandbox_try_open("/etc/passwd") }),
        ("open a new file", { open("/tmp/eightbells-pictures-test", O_CREAT | O_WRONLY, 0o600) < 0 ? -1 : 0 }),
        ("execve", { csandbox_try_execute("/bin/sh") }), ("fork", csandbox_try_fork), ("socket", csandbox_try_socket),
        ("ptrace", csandbox_try_trace), ("process_vm_readv", csandbox_try_read_process),
        ("tgkill", { csandbox_try_thread_signal(getppid()) }), ("rt_sigqueueinfo", csandbox_try_queue_signal),
        ("rt_tgsigqueueinfo", csandbox_try_queue_thread_signal), ("pidfd_send_signal", csandbox_try_descriptor_signal),
        ("prlimit64", { csandbox_try_limit(getppid()) }), ("setpriority", csandbox_try_slow_all),
        ("utimensat", csandbox_try_times), ("fchmodat2", csandbox_try_newer_call),
      ], say) && csandbox_try_thread_signal(getpid()) == 0 && csandbox_try_limit(0) == 0
  }

  private static func attempt(_ attempts: [(String, () -> Int32)], _ say: (String) -> Void) -> Bool {
    var isClosed = true
    for (name, attempt) in attempts {
      let isDone = attempt() == 0
      say("\(name): \(isDone ? "possible" : "refused, \(String(cString: strerror(errno)))")\n")
      if isDone { isClosed = false }
    }
    return isClosed
  }
}
