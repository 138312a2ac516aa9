import EventLoop
import Hub
import Imaging
import Synchronization

/// The program for pictures, which runs while it is needed: it keeps memory, and most of the time there is no sync.
final class PictureBench: Sendable {
  private struct State {
    var users = 0
    var task: Task<Void, any Error>?
  }
  private let hub: Hub
  private let workshop: PictureWorkshop
  private let state = Mutex(State())

  init(_ hub: Hub) {
    self.hub = hub
    workshop = PictureWorkshop(program: nil, loop: hub.loop, log: hub.log)
  }

  func use<T: Sendable>(_ work: (PictureWorkshop) async throws -> T) async throws -> T {
    state.withLock { state in
      state.users += 1
      guard state.users == 1 else { return }
      let (before, workshop) = (state.task, workshop)
      state.task = Task {
        // The one before has to have ended: it ends all workers.
        _ = await before?.result
        try await workshop.run()
      }
    }
    defer {
      state.withLock { state in
        state.users -= 1
        if state.users == 0 { state.task?.cancel() }
      }
    }
    return try await work(workshop)
  }
}
