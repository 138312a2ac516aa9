import CLinux
import Glibc
public import Lifecycle
import Synchronization

/// The events that a file descriptor is watched for, or ready for.
public struct Readiness: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer has closed, or the descriptor failed; reading tells which.
  public static let closed = Readiness(rawValue: EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue)
}

/// An object that is told when its file descriptor is ready. Called on the loop.
public protocol Watcher: AnyObject {
  func ready(_ readiness: Readiness)
}

/// One epoll loop on one thread, which is also the executor of the tasks and actors bound to it: nothing hops threads
/// between a socket and its handler.
///
/// `execute`, `enqueue` and `stop` may be called from any thread; all else only on the loop itself (checked in debug
/// builds). Objects that belong to a loop are marked `@unchecked Sendable` and keep to that rule.
public final class EventLoop: SerialExecutor, TaskExecutor, Sleeper, @unchecked Sendable {
  public let time: any TimeSource

  private let epoll: Int32
  private let wakeup: Int32
  private struct Inbox {
    var jobs: [UnownedJob] = []
    var calls: [@Sendable () -> Void] = []
    var isWoken = false
    var isStopped = false
  }
  private let inbox = Mutex(Inbox())

  /// The loop's thread, 0 before the first turn.
  private let thread = Atomic<pthread_t>(0)

  // The following is used on the loop's own thread only.
  private var localJobs: [UnownedJob] = []
  private var runningJobs: [UnownedJob] = []
  private var calls: [@Sendable () -> Void] = []
  private var watchers: ContiguousArray<Entry> = []
  private var generation: UInt32 = 0
  /// The number of the current turn, for code that treats all events of one turn as one.
  public private(set) var turnNumber: UInt64 = 0
  /// Uptime in seconds when this turn's events came: exact enough for deadlines, and read once for all of them.
  public private(set) var turnUptime: Double
  private let timers = TimerQueue()
  private var urgent: [() -> Void] = []
  private var endOfTurn: [() -> Void] = []
  private var nextTurn: [() -> Void] = []
  private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: EventLoop.eventsPerTurn)

  /// A watched descriptor. Its number is reused as soon as it is closed; the generation tells events of the old one
  /// from those of the new one.
  private struct Entry {
    var watcher: (any Watcher)?
    var generation: UInt32 = 0
  }

  /// The most events that one `epoll_wait` returns.
  private static let eventsPerTurn = 512

  /// Traps when the kernel has no descriptors left, since nothing can run then.
  public init(time: any TimeSource) {
    self.time = time
    turnUptime = time.uptime
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    wakeup = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
    precondition(epoll >= 0 && wakeup >= 0, "Cannot open an epoll descriptor: error \(errno)")
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(wakeup)))
    epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event)
  }

  deinit {
    close(epoll)
    close(wakeup)
    events.deallocate()
  }

  // MARK: Running

  /// Runs until `stop`. The calling thread is the loop's from then on.
  public func run() {
    while !inbox.withLock({ $0.isStopped }) { turn(wait: .infinity) }
  }

  public func stop() { wake { $0.isStopped = true } }

  /// Runs on a thread of its own until `stop`.
  /// - Parameter name: at most 15 bytes, for ps and gdb.
  public func runInBackground(name: String) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Background(loop: self, name: name)).toOpaque()
    let code = pthread_create(&thread, nil, { Background.main($0) }, context)
    precondition(code == 0, "Cannot start the thread \(name): error \(code)")
    pthread_detach(thread)
  }

  private final class Background {
    let loop: EventLoop
    let name: String
    init(loop: EventLoop, name: String) {
      self.loop = loop
      self.name = name
    }

    static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      let background = Unmanaged<Background>.fromOpaque(context!).takeRetainedValue()
      clinux_name_thread(background.name)
      background.loop.run()
      return nil
    }
  }

  /// The cores that this process may use, by its affinity mask: the usual number of loops.
  public static var usableCores: Int { Int(clinux_usable_cores()) }

  /// Does one turn: handles what is due now, or else waits for at most `wait` seconds for an event.
  public func turn(wait: Double) {
    thread.store(pthread_self(), ordering: .relaxed)
    turnNumber += 1
    let count = epoll_wait(epoll, events, Int32(Self.eventsPerTurn), timeout(wait))
    turnUptime = time.uptime
    let postponed = nextTurn
    nextTurn = []
    for index in 0..<max(0, Int(count)) {
      dispatch(events[index])
      // With the jobs that follow from it, since these may hold what is to be released.
      if !urgent.isEmpty { runLocalJobs() }
    }
    for call in postponed {
      call()
      runUrgent()
    }
    takeInbox()
    runLocalJobs()
    // Not those that become due meanwhile: one that is set anew each time would hold up all else.
    let due = time.uptime
    while let timer = timers.popDue(at: due) {
      timer.fire()
      runLocalJobs()
    }
    while !endOfTurn.isEmpty {
      let work = endOfTurn
      endOfTurn.removeAll(keepingCapacity: true)
      for call in work {
        call()
        runUrgent()
      }
      runLocalJobs()
    }
  }

  /// True when the caller is on the loop's thread.
  public var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

  /// Traps in debug builds when the caller is on another thread.
  public func assertCurrent() { assert(thread.load(ordering: .relaxed) == 0 || isCurrent, "called off its event loop") }

  private func timeout(_ wait: Double) -> Int32 {
    if !localJobs.isEmpty || !nextTurn.isEmpty { return 0 }
    var seconds = wait
    if let deadline = timers.nextDeadline { seconds = min(seconds, deadline - time.uptime) }
    if seconds == .infinity { return -1 }
    // Rounded up: a timer must not find itself a fraction of a millisecond early and spin.
    return Int32(max(0, min((seconds * 1000).rounded(.up), 3_600_000)))
  }

  private func dispatch(_ event: epoll_event) {
    let descriptor = Int(event.data.u64 & 0xffff_ffff)
    if descriptor == Int(wakeup) {
      var count: UInt64 = 0
      _ = read(wakeup, &count, 8)
      return
    }
    let entry = watchers[descriptor]
    guard entry.generation == UInt32(event.data.u64 >> 32), let watcher = entry.watcher else { return }
    watcher.ready(Readiness(rawValue: event.events))
  }

  // MARK: Watching

  /// Calls `watcher` when the descriptor becomes ready.
  /// - Parameter edge: true: called once per change (the watcher must read or write until it would block); false:
  ///   called again and again while the state lasts.
  public func watch(_ descriptor: Int32, for interest: Readiness, edge: Bool = true, _ watcher: any Watcher) {
    assertCurrent()
    while watchers.count <= descriptor { watchers.append(Entry()) }
    generation &+= 1
    watchers[Int(descriptor)] = Entry(watcher: watcher, generation: generation)
    control(EPOLL_CTL_ADD, descriptor, interest, edge: edge)
  }

  /// Changes the events that a watched descriptor is watched for.
  public func change(_ descriptor: Int32, to interest: Readiness, edge: Bool = true) {
    control(EPOLL_CTL_MOD, descriptor, interest, edge: edge)
  }

  /// Ends the watch; must be called before the descriptor is closed.
  public func unwatch(_ descriptor: Int32) {
    guard watchers.indices.contains(Int(descriptor)) else { return }
    watchers[Int(descriptor)].watcher = nil
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
  }

  private func control(_ operation: Int32, _ descriptor: Int32, _ interest: Readiness, edge: Bool) {
    let flags = interest.rawValue | EPOLLRDHUP.rawValue | (edge ? EPOLLET.rawValue : 0)
    let key = UInt64(UInt32(descriptor)) | UInt64(watchers[Int(descriptor)].generation) << 32
    var event = epoll_event(events: flags, data: epoll_data_t(u64: key))
    let code = epoll_ctl(epoll, operation, descriptor, &event)
    assert(code == 0, "epoll_ctl failed: error \(errno)")
  }

  // MARK: Work

  /// Runs `work` on the loop, soon. May be called from any thread.
  public func execute(_ work: @escaping @Sendable () -> Void) { wake { $0.calls.append(work) } }

  /// Runs `work` at once when called on the loop, else soon.
  public func perform(_ work: @escaping @Sendable () -> Void) { if isCurrent { work() } else { execute(work) } }

  /// Runs `work` as soon as the event, the job or the call that is being handled is done, before all others of this
  /// turn: there may be hundreds.
  public func runNext(_ work: @escaping () -> Void) {
    assertCurrent()
    urgent.append(work)
  }

  /// Runs `work` after this turn's events are handled, so that many small writes become one.
  public func atEndOfTurn(_ work: @escaping () -> Void) {
    assertCurrent()
    endOfTurn.append(work)
  }

  /// Runs `work` in the next turn, after the events that come until then: for long work that must not hold up others.
  public func atNextTurn(_ work: @escaping () -> Void) {
    assertCurrent()
    nextTurn.append(work)
  }

  /// Runs `work` when so many seconds of uptime have passed.
  @discardableResult
  public func schedule(after seconds: Double, _ work: @escaping () -> Void) -> LoopTimer {
    assertCurrent()
    return timers.insert(deadline: time.uptime + max(0, seconds), work: work)
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    if isCurrent { localJobs.append(unowned) } else { wake { $0.jobs.append(unowned) } }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
  public func checkIsolated() { precondition(isCurrent, "called off its event loop") }
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  private func wake(_ change: (inout Inbox) -> Void) {
    let mustWake = inbox.withLock { inbox in
      change(&inbox)
      defer { inbox.isWoken = true }
      return !inbox.isWoken
    }
    if mustWake { Wakes.wake(self) }
  }

  /// Ends a wait for events.
  public func wakeUp() {
    var one: UInt64 = 1
    _ = write(wakeup, &one, 8)
  }

  private func takeInbox() {
    inbox.withLock { inbox in
      localJobs.append(contentsOf: inbox.jobs)
      inbox.jobs.removeAll(keepingCapacity: true)
      swap(&calls, &inbox.calls)
      inbox.isWoken = false
    }
    for call in calls {
      call()
      runUrgent()
    }
    calls.removeAll(keepingCapacity: true)
  }

  private func runUrgent() {
    while !urgent.isEmpty {
      let work = urgent
      urgent.removeAll(keepingCapacity: true)
      for call in work { call() }
    }
  }

  private func runLocalJobs() {
    runUrgent()
    while !localJobs.isEmpty {
      swap(&localJobs, &runningJobs)
      let serial = asUnownedSerialExecutor()
      let task = asUnownedTaskExecutor()
      for job in runningJobs {
        job.runSynchronously(isolatedTo: serial, taskExecutor: task)
        runUrgent()
      }
      runningJobs.removeAll(keepingCapacity: true)
    }
  }
}
