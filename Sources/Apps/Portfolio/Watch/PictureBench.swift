import EventLoop
import Hub
import Imaging
import Observe
import Synchronization

/// The program for pictures, which runs while it is needed: it keeps memory, and most of the time there is no sync.
final class PictureBench: Sendable {
  private struct State {
    var users = 0
    var task: Task<Void, Never>?
  }
  private let hub: Hub
  private let workshop: PictureWorkshop
  private let state = Mutex(State())

  init(_ hub: Hub) {
    self.hub = hub
    workshop = PictureWorkshop(program: nil, loop: hub.loop, log: hub.log)
  }

  /// - Throws: what `work` throws; `CancellationError` if the hub is ending.
  func use<T: Sendable>(_ work: (PictureWorkshop) async throws -> T) async throws -> T {
    try enter()
    let outcome: Result<T, any Error>
    do { outcome = .success(try await work(workshop)) } catch { outcome = .failure(error) }
    await leave()
    return try outcome.get()
  }

  private func enter() throws {
    try state.withLock { state in
      if state.users == 0 {
        let (before, workshop, log) = (state.task, workshop, hub.log)
        let task = hub.supervisor.once("portfolio.pictures") {
          // The one before has to have ended: it ends all workers.
          await before?.value
          do { try await workshop.run() } catch {
            if !Task.isCancelled { log.error("pictures cannot be made", ["error": "\(error)"]) }
          }
        }
        guard let task else { throw CancellationError() }
        state.task = task
      }
      state.users += 1
    }
  }

  /// The last one ends the program, and waits until it has ended.
  private func leave() async {
    let last = state.withLock { state in
      state.users -= 1
      return state.users == 0 ? state.task : nil
    }
    last?.cancel()
    await last?.value
  }
}
