import CLinux
import Glibc

/// Lets a thread wait for another one, with a limit. For threads of our own; a task must never block like this.
public final class ThreadSignal: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  public init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  public func post() { sem_post(semaphore) }

  /// Waits for one `post`, for at most so many seconds.
  /// - Returns: false if there was none in time.
  @discardableResult
  public func wait(atMost seconds: Double) -> Bool {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = deadline.tv_nsec + Int(seconds * 1e9)
    deadline.tv_sec += nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    while clinux_wait_until(semaphore, &deadline) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }
}
