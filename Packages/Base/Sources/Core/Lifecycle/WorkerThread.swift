import CLinux
import Glibc
import Synchronization

/// A thread that is the executor of one actor, for blocking work (a disk's sync, a long parse) that must not hold up an
/// event loop or Swift's shared pool.
///
/// The thread lives as long as the process; there are only a few of them.
public final class WorkerThread: SerialExecutor, @unchecked Sendable {
  /// A job of Swift's runtime, or a closure.
  private enum Job {
    case job(UnownedJob)
    case work(@Sendable () -> Void)
  }
  private struct Queue {
    var jobs: [Job] = []
    var isSleeping = false
  }
  private let queue = Mutex(Queue())
  private let wakeup: UnsafeMutablePointer<sem_t>
  /// 0 before its first job.
  private let thread = Atomic<pthread_t>(0)
  /// At most 15 bytes, as Linux allows for a thread's name.
  public let name: String

  public init(name: String) {
    self.name = name
    wakeup = .allocate(capacity: 1)
    sem_init(wakeup, 0, 0)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(&thread, nil, { WorkerThread.main($0) }, context)
    precondition(code == 0, "Cannot start the thread \(name): error \(code)")
    pthread_detach(thread)
  }

  public func enqueue(_ job: consuming ExecutorJob) { append(.job(UnownedJob(job))) }

  /// Runs `work` on the thread, after all earlier jobs.
  public func execute(_ work: @escaping @Sendable () -> Void) { append(.work(work)) }

  public func checkIsolated() { precondition(isCurrent, "called off the thread \(name)") }
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }
  private var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

  private func append(_ job: Job) {
    let mustWake = queue.withLock { queue in
      queue.jobs.append(job)
      defer { queue.isSleeping = false }
      return queue.isSleeping
    }
    if mustWake { sem_post(wakeup) }
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let worker = Unmanaged<WorkerThread>.fromOpaque(context!).takeRetainedValue()
    clinux_name_thread(worker.name)
    worker.thread.store(pthread_self(), ordering: .relaxed)
    while true { worker.runOnce() }
  }

  private func runOnce() {
    let jobs = queue.withLock { queue in
      let jobs = queue.jobs
      queue.jobs.removeAll(keepingCapacity: true)
      queue.isSleeping = jobs.isEmpty
      return jobs
    }
    if jobs.isEmpty {
      while sem_wait(wakeup) != 0 {}  // EINTR: wait again
    }
    for job in jobs {
      switch job {
      case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .work(let work): work()
      }
    }
  }
}
