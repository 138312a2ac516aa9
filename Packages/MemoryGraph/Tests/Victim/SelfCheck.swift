import Glibc
import Synchronization

/// A process that checks itself during looks: `check` on its input prints what has changed, or "unharmed".
///
/// Threads compute with every register and compare, wait in all kinds of system calls, count signals that must not get
/// lost, and allocate and free memory. Descriptors, children and the signal mask are compared with those of the start.
enum SelfCheck {
  nonisolated(unsafe) static var failures: [String] = []
  static let lock = Mutex(())
  static let threads = Atomic<Int>(0)
  static let rounds = Atomic<Int>(0)
  static let sent = Atomic<Int>(0)
  static let received = Atomic<Int>(0)
  static let sum = Atomic<Int>(0)
  /// A request to the sender to pause, and its answer.
  static let isPaused = Atomic<Bool>(false)
  static let hasPaused = Atomic<Bool>(false)

  static func report(_ failure: String) {
    lock.withLock { _ in if failures.count < 20 { failures.append(failure) } }
  }

  static func run() {
    // Real-time signals are queued, each with its number: none may get lost or come twice.
    var action = sigaction()
    action.sa_flags = SA_SIGINFO
    action.__sigaction_handler.sa_sigaction = { _, info, _ in
      SelfCheck.received.add(1, ordering: .relaxed)
      SelfCheck.sum.add(Int(info!.pointee._sifields._rt.si_sigval.sival_int), ordering: .relaxed)
    }
    sigaction(SIGRTMIN_number, &action, nil)
    // Only one thread receives them.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGRTMIN_number)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    _ = start { receive() }
    for seed in 1...2 { _ = start { compute(UInt64(seed)) } }
    _ = start { sleepInPieces() }
    _ = start { pingPong() }
    _ = start { churn() }
    _ = start { sendSignals() }
    // The threads must exist before they are counted.
    while threads.load(ordering: .relaxed) < 8 { usleep(1000) }
    let before = state()
    tell("ready")
    while let line = readLine() {
      if line == "check" { check(before) }
    }
  }

  private static var SIGRTMIN_number: Int32 { __libc_current_sigrtmin() }

  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Work {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        SelfCheck.threads.add(1, ordering: .relaxed)
        Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(Work(body)).toOpaque())
    return thread
  }

  // MARK: The threads' work

  /// Repeats the same calculation, in integers and floating point numbers, with values kept in registers.
  private static func compute(_ seed: UInt64) {
    var expected: (UInt64, Double)?
    while true {
      var (a, b, c, d) = (seed, seed &* 3, seed &* 5, seed &* 7)
      var (x, y, z) = (1.0, 2.0, 3.0)
      for _ in 0..<200_000 {
        a = a &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        b ^= a >> 17
        c = c &+ b
        d = (d << 7 | d >> 57) ^ c
        x = x * 0.999 + y
        y = y * 0.5 + z
        z = z * 0.25 + x * 1e-3
      }
      let result = (a ^ b ^ c ^ d, x + y + z)
      if let expected, expected != result { report("a computation gave \(result) instead of \(expected)") }
      expected = result
      rounds.add(1, ordering: .relaxed)
    }
  }

  /// nanosleep(2) continues after an interruption, and must not end early.
  private static func sleepInPieces() {
    while true {
      var before = timespec()
      clock_gettime(CLOCK_MONOTONIC, &before)
      var pause = timespec(tv_sec: 0, tv_nsec: 5_000_000)
      let code = nanosleep(&pause, nil)
      var after = timespec()
      clock_gettime(CLOCK_MONOTONIC, &after)
      let slept = (after.tv_sec - before.tv_sec) * 1_000_000_000 + after.tv_nsec - before.tv_nsec
      if code != 0 { report("nanosleep was interrupted: errno \(errno)") }
      if slept < 5_000_000 { report("nanosleep ended after \(slept) ns of 5,000,000") }
      rounds.add(1, ordering: .relaxed)
    }
  }

  /// Blocking read(2) and write(2): every byte arrives once.
  private static func pingPong() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let (input, output) = (ends[0], ends[1])
    _ = start {
      var next: UInt8 = 0
      while true {
        if write(output, &next, 1) != 1 { report("write: errno \(errno)") }
        next &+= 1
        usleep(200)
      }
    }
    var expected: UInt8 = 0
    while true {
      var byte: UInt8 = 0
      let count = read(input, &byte, 1)
      if count != 1 || byte != expected { report("read \(count): \(byte) instead of \(expected)") }
      expected = byte &+ 1
      rounds.add(1, ordering: .relaxed)
    }
  }

  private static func churn() {
    while true {
      var texts: [String] = []
      for number in 0..<200 { texts.append(String(repeating: "memory ", count: number % 20)) }
      if texts.reduce(0, { $0 + $1.utf8.count }) != 13_300 { report("texts have changed") }
      rounds.add(1, ordering: .relaxed)
    }
  }

  private static func receive() {
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGRTMIN_number)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    while true { pause() }
  }

  private static func sendSignals() {
    var number: Int32 = 0
    while true {
      let pauses = isPaused.load(ordering: .acquiring)
      hasPaused.store(pauses, ordering: .releasing)
      if pauses {
        usleep(300)
        continue
      }
      number = number % 1000 + 1
      if sigqueue(getpid(), SIGRTMIN_number, sigval(sival_int: number)) == 0 {
        sent.add(Int(number), ordering: .relaxed)
      }
      usleep(300)
    }
  }

  // MARK: Comparisons

  private struct State: Equatable {
    var descriptors: [String]
    var threads: Int
    var mask: UInt64
    var parent: Int32
  }

  private static func state() -> State {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return State(
      descriptors: list("/proc/self/fd"), threads: list("/proc/self/task").count,
      mask: withUnsafeBytes(of: mask) { $0.load(as: UInt64.self) }, parent: getppid())
  }

  private static func list(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.sorted()
  }

  private static func check(_ before: State) {
    let now = state()
    if now != before { report("the process has changed: \(before), now \(now)") }
    // __WALL: children of every kind, also ended ones that were not reaped.
    var status: Int32 = 0
    let child = waitpid(-1, &status, 0x4000_0000 | WNOHANG)
    if child != -1 || errno != ECHILD { report("there is a child that nobody made: \(child)") }
    // Every signal sent has come, within seconds, and none twice.
    isPaused.store(true, ordering: .releasing)
    while !hasPaused.load(ordering: .acquiring) { usleep(1000) }
    var tries = 0
    while sum.load(ordering: .relaxed) < sent.load(ordering: .relaxed), tries < 10_000 {
      usleep(1000)
      tries += 1
    }
    let missing = sent.load(ordering: .relaxed) - sum.load(ordering: .relaxed)
    if missing != 0 { report("signals are missing, or came twice: their numbers differ by \(missing)") }
    isPaused.store(false, ordering: .releasing)
    while hasPaused.load(ordering: .acquiring) { usleep(1000) }
    lock.withLock { _ in
      for failure in failures { tell("HARMED \(failure)") }
      tell(failures.isEmpty ? "unharmed after \(rounds.load(ordering: .relaxed)) rounds" : "harmed")
    }
  }
}
