import CPtrace
import Glibc
import Synchronization

/// A thread for one body, which ends with it. What a body leaves on a stack would look like references to what it has
/// lost: nobody looks at the stack of a thread that has ended, and what a later thread may find there is wiped.
final class BodyThread: TaskExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isOver = false
  }
  private let work = Mutex(Work())
  // In memory of its own: a semaphore may not move.
  private nonisolated(unsafe) let wakeup = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(wakeup, 0, 0) }

  deinit {
    sem_destroy(wakeup)
    wakeup.deallocate()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    work.withLock { $0.jobs.append(job) }
    sem_post(wakeup)
  }

  /// Starts the thread; it runs what is enqueued until `end`.
  func start() throws -> pthread_t { try Self.start { self.runJobs() } }

  /// Lets the thread end, and waits for it.
  func end(_ thread: pthread_t) {
    work.withLock { $0.isOver = true }
    sem_post(wakeup)
    pthread_join(thread, nil)
  }

  @inline(never) private func runJobs() {
    while true {
      while sem_wait(wakeup) != 0 {}  // EINTR
      let (jobs, isOver) = work.withLock { work in
        defer { work.jobs = [] }
        return (work.jobs, work.isOver)
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if isOver, jobs.isEmpty { return }
    }
  }

  /// Runs a body in a new thread, and waits for it.
  static func run(_ body: () throws -> Void) throws {
    var problem: (any Error)?
    try withoutActuallyEscaping(body) { body in
      let thread = try start {
        do { try body() } catch let thrown { problem = thrown }
      }
      pthread_join(thread, nil)
    }
    if let problem { throw problem }
  }

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  private static func start(_ run: @escaping () -> Void) throws -> pthread_t {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(run))
    let code = pthread_create(
      &thread, nil,
      { context in
        BodyThread.call(context!)
        cptrace_wipe_stack()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw LeakTestingError(message: "A body needs a thread: \(String(cString: strerror(code))).")
    }
    return thread
  }

  /// In a call of its own, so that all of it lies where the stack is wiped.
  @inline(never) private static func call(_ context: UnsafeMutableRawPointer) {
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
  }
}
