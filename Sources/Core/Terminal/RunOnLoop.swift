public import EventLoop
import Lifecycle
import Synchronization

/// Runs an asynchronous operation on an event loop of its own, and waits for its result; for commands.
public func runOnLoop<T: Sendable>(
  _ work: @escaping @Sendable (EventLoop) async throws(CommandError) -> T
) throws(CommandError) -> T {
  let loop = EventLoop(time: SystemTime())
  let outcome = Outcome<T>()
  // Its end ends the loop, which is waited for below.
  Task(executorPreference: loop) {
    do throws(CommandError) {
      let value = try await work(loop)
      outcome.result.withLock { $0 = .success(value) }
    } catch {
      outcome.result.withLock { $0 = .failure(error) }
    }
    loop.stop()
  }
  loop.run()
  guard let result = outcome.result.withLock({ $0 }) else { preconditionFailure("the loop stopped early") }
  return try result.get()
}

private final class Outcome<T: Sendable>: Sendable {
  let result = Mutex<Result<T, CommandError>?>(nil)
}
