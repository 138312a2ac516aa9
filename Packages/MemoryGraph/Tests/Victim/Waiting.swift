import Dispatch
import Glibc
import Synchronization

/// Timers, tasks and actors that hold objects while they wait.

final class Watch: @unchecked Sendable {
  var timer: (any DispatchSourceTimer)?
  var task: Task<Void, Never>?
  var ticks = 0

  /// Every tick holds the watch until the next one.
  func tick() async {
    while !Task.isCancelled {
      ticks += 1
      try? await Task.sleep(for: .seconds(3600))
    }
  }
}

final class Download: @unchecked Sendable {
  var task: Task<Void, Never>?
  var feed: AsyncStream<Int>.Continuation?
  var received = 0

  func receive(_ parts: AsyncStream<Int>) async {
    for await part in parts { received += part }
  }
}

final class Reply: @unchecked Sendable {
  var text = ""

  /// Waits with a continuation that nothing resumes.
  func wait() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    text = "never"
  }
}

actor Ledger {
  /// Set before the ledger is shared.
  nonisolated(unsafe) var auditor: (@Sendable () async -> Void)?
  var entries: [Int] = []
  func add(_ entry: Int) { entries.append(entry) }
  /// Later callers wait for ever.
  func block() { pause() }
}

nonisolated(unsafe) let waiting: [Trial] = [
  Trial(
    name: "timer", explanation: "A watch keeps a timer whose handler keeps the watch; nobody has started the timer.",
    expected: "one retain cycle from Watch.timer, COUNT times",
    make: { count in for _ in 0..<count { makeTimer() } }),
  Trial(
    name: "task", explanation: "A download keeps the task that waits for its parts, and the task keeps the download.",
    expected: "one retain cycle from Download.task or Download.feed, COUNT times",
    make: { count in
      for _ in 0..<count { makeDownload() }
      settle()
    }),
  Trial(
    name: "continuation", explanation: "Tasks wait for a continuation that nobody has kept.",
    expected: "root leaks: COUNT tasks, each with the Reply it holds",
    make: { count in
      for _ in 0..<count { makeReply() }
      settle()
    }),
  Trial(
    name: "actor", explanation: "An actor keeps a closure that keeps the actor.",
    expected: "one retain cycle, Ledger.auditor and the closure, COUNT times",
    make: { count in for _ in 0..<count { makeLedger() } }),
  Trial(
    name: "sleepers", explanation: "Watches that a running timer and a sleeping task hold, which they keep themselves.",
    expected: "nothing leaks; retain cycles that are still reached",
    make: { count in
      for _ in 0..<count { makeSleepers() }
      settle()
    }),
]

/// Threads that have run a case's task, and may still have its addresses on their stacks.
private let marked = Mutex<Set<Int32>>([])

/// To be called first by every task of a case; `settle` then cleans the thread's stack.
func markThread() { marked.withLock { _ = $0.insert(threadNumber()) } }

private func threadNumber() -> Int32 {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { path in
    let count = readlink("/proc/thread-self", path.baseAddress!, path.count)  // 4711/task/4712
    let text = String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let number = text.split(separator: "/").last.flatMap({ Int32($0) }) else {
      Victim.fail("/proc/thread-self tells no thread.")
    }
    return number
  }
}

/// Waits until each task is suspended, and the stacks of the threads that ran it are cleaned.
func settle() {
  waitUntilOthersSleep()
  // The system decides which thread runs which of them: on a busy machine one may run all, so this is repeated.
  for _ in 0..<1000 {
    for _ in 0..<64 {
      Task {
        Victim.scrub(64)
        marked.withLock { _ = $0.remove(threadNumber()) }
        usleep(100)
      }
    }
    waitUntilOthersSleep()
    // Idle threads end after a while.
    let left = marked.withLock { threads in
      threads = threads.filter { access("/proc/self/task/\($0)", F_OK) == 0 }
      return threads.count
    }
    if left == 0 { return }
  }
  Victim.fail("Threads of the pool were never free to clean their stacks.")
}

func waitUntilOthersSleep() {
  var quiet = 0
  while quiet < 3 {
    usleep(2000)
    quiet = otherThreadsSleep() ? quiet + 1 : 0
  }
}

private func otherThreadsSleep() -> Bool {
  guard let folder = opendir("/proc/self/task") else { return true }
  defer { closedir(folder) }
  while let entry = readdir(folder) {
    let number = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    guard let thread = Int32(number), thread != getpid() else { continue }
    let file = open("/proc/self/task/\(number)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { continue }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(file, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    if text.split(separator: ")").last?.first(where: { $0 != " " }) != "S" { return false }
  }
  return true
}

@inline(never) func makeTimer() {
  let watch = Watch()
  let timer = DispatchSource.makeTimerSource()
  timer.setEventHandler { watch.ticks += 1 }
  timer.schedule(deadline: .now(), repeating: 3600)
  watch.timer = timer
  leaked(watch, "Watch")
}

@inline(never) func makeDownload() {
  let download = Download()
  let (parts, feed) = AsyncStream<Int>.makeStream()
  download.feed = feed
  download.task = Task {
    markThread()
    await download.receive(parts)
  }
  leaked(download, "Download")
}

@inline(never) func makeReply() {
  let reply = Reply()
  leaked(reply, "Reply")
  Task {
    markThread()
    await reply.wait()
  }
}

@inline(never) func makeLedger() {
  let ledger = Ledger()
  ledger.auditor = { await ledger.add(1) }
  leaked(ledger, "Ledger")
}

@inline(never) func makeSleepers() {
  let (ringing, sleeping) = (Watch(), Watch())
  let timer = DispatchSource.makeTimerSource()
  timer.setEventHandler { ringing.ticks += 1 }
  timer.schedule(deadline: .now() + 3600, repeating: 3600)
  timer.resume()
  ringing.timer = timer
  sleeping.task = Task {
    markThread()
    await sleeping.tick()
  }
  live(ringing, "held by its own timer")
  live(sleeping, "held by its own task")
}
