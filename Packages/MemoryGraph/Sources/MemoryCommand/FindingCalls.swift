import Glibc

/// The commands of `--exec`, run with a finding as JSON on their standard input and in words in a variable. None is
/// waited for.
struct FindingCalls {
  private struct Call {
    var process: pid_t
    var command: String
    /// In `TimeSource.uptime`.
    var deadline: Double
    /// True if its time, or the watch, has ended.
    var isEnded = false

    /// Kills it with all processes that it has started; it may have left its group.
    mutating func end() {
      isEnded = true
      kill(-process, SIGKILL)
      kill(process, SIGKILL)
    }
  }
  private var calls: [Call] = []

  /// Seconds for a command, and how many may run at once: beyond that a finding is only reported here.
  private static let limit = 30.0
  private static let most = 16
  /// The number of checks for the end of killed commands, and the milliseconds in between.
  private static let looksForEnd = 50
  private static let lookPause: Int32 = 20

  var isRunning: Bool { !calls.isEmpty }

  private static let variable = "MEMORYGRAPH_WORDS"

  /// - Returns: a sentence if it could not be started.
  mutating func start(_ command: String, _ json: [UInt8], _ finding: String, _ now: Double) -> String? {
    guard calls.count < Self.most else { return "--exec: \(Self.most) commands are running already; none was started." }
    // A file instead of a pipe: writing it never blocks, even if nobody reads it.
    guard let input = tmpfile() else { return "--exec: \(String(cString: strerror(errno)))." }
    defer { fclose(input) }
    guard fwrite(json + [10], 1, json.count + 1, input) == json.count + 1, fflush(input) == 0 else {
      return "--exec: \(String(cString: strerror(errno)))."
    }
    rewind(input)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO)
    posix_spawn_file_actions_addclose(&actions, fileno(input))
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that it can be killed with all that it has started, and gets no signals of ours.
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigemptyset(&all)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD] { sigaddset(&all, number) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-c", command].map { (word: String) in strdup(word) }
    defer { words.forEach { free($0) } }
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let one = next.pointee {
      if strncmp(one, Self.variable + "=", Self.variable.utf8.count + 1) != 0 { variables.append(one) }
      next += 1
    }
    let told = strdup("\(Self.variable)=\(finding)")
    defer { free(told) }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words + [nil], variables + [told, nil])
    guard code == 0 else { return "--exec: cannot start \(command): \(String(cString: strerror(code)))." }
    calls.append(Call(process: process, command: command, deadline: now + Self.limit))
    return nil
  }

  /// Collects the commands that have ended, and ends those whose time is over.
  ///
  /// - Returns: a sentence for each that failed.
  mutating func poll(_ now: Double) -> [String] {
    var problems: [String] = []
    for index in calls.indices where now >= calls[index].deadline && !calls[index].isEnded {
      calls[index].end()
      problems.append("--exec: \(calls[index].command) was ended after \(Int(Self.limit)) seconds.")
    }
    // Without blocking: a process stuck in the kernel ends when it can.
    calls.removeAll { call in
      var status: Int32 = 0
      let found = waitpid(call.process, &status, WNOHANG)
      if found > 0, status != 0, !call.isEnded {
        let how = status & 0x7F == 0 ? "with \((status >> 8) & 0xFF)" : "by signal \(status & 0x7F)"
        problems.append("--exec: \(call.command) ended \(how).")
      }
      return found != 0
    }
    return problems
  }

  mutating func end() {
    for index in calls.indices { calls[index].end() }
    // They end at once, except for one that waits for a disk, which is not waited for.
    for _ in 0..<Self.looksForEnd {
      _ = poll(0)
      if calls.isEmpty { return }
      Glibc.poll(nil, 0, Self.lookPause)
    }
    calls = []
  }
}
