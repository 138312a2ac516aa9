import CPtrace
import Glibc
import Synchronization

/// A thread for one body, or for one look, which ends with it. Stale words on a stack would look like references to
/// leaked objects: the stack of a finished thread is not examined, and the part that a later thread may reuse is wiped.
final class OwnThread: TaskExecutor {
  private struct Work {
    var jobs: [UnownedJob] = []
    var isOver = false
  }
  private let work = Mutex(Work())
  // Allocated, since a semaphore must not move.
  private nonisolated(unsafe) let wakeup = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  private init() { sem_init(wakeup, 0, 0) }

  deinit {
    sem_destroy(wakeup)
    wakeup.deallocate()
  }

  /// Runs a body in a task of its own, on a new thread except on actors with their own executor, and waits for both. It
  /// inherits the caller's task-local values and cancellation.
  static func run<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
    let executor = OwnThread()
    let thread = try executor.start()
    let task = Task(executorPreference: executor, operation: body)
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    executor.end(thread)
    return try result.get()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    work.withLock { $0.jobs.append(job) }
    sem_post(wakeup)
  }

  private func end(_ thread: pthread_t) {
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

  /// Starts the thread; it runs enqueued jobs until `end`.
  private func start() throws -> pthread_t {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { context in
        OwnThread.call(context!)
        cptrace_wipe_stack()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      throw LeakTestingError(message: "A body needs a thread: \(String(cString: strerror(code))).")
    }
    return thread
  }

  /// In a call of its own, so that all of its stack frame is in the part that is wiped.
  @inline(never) private static func call(_ context: UnsafeMutableRawPointer) {
    Unmanaged<OwnThread>.fromOpaque(context).takeRetainedValue().runJobs()
  }
}
