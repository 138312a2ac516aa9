import Client
public import EventLoop
public import Hub
import Observe
import Realtime
public import Store
public import World

/// A hub for tests: in this process, with a real store, and in time that passes only when the test says so. Nothing
/// listens; routes are asked through `Router`.
public struct TestHub {
  public let folder: TemporaryFolder
  public let time: VirtualTime
  public let loop: EventLoop
  public let hub: Hub
  public var store: Store { hub.store }

  /// - Parameters:
  ///   - migrations: those of rooms, behind the hub's own.
  ///   - folder: where another hub was before, for one that is started again.
  public init(
    time: VirtualTime = VirtualTime(), migrations: [Migration] = [], folder: TemporaryFolder = TemporaryFolder()
  ) async throws {
    self.time = time
    self.folder = folder
    loop = EventLoop(time: time)
    loop.runInBackground(name: "test")
    let store = try await Store(
      path: "\(folder.path)/hub.sqlite", migrations: Hub.migrations + migrations, time: time)
    hub = Hub(
      loop: loop, time: time, log: Log(time: time, sink: { _ in }), store: store, channels: Channels(loops: [loop]),
      client: HTTPClient(loop: loop, userAgent: "test"), dataFolder: folder.path, readableFolders: [])
    try await hub.place.load(from: store)
  }

  /// Ends what was begun, as the hub does when it is told to stop.
  public func end() async {
    await hub.end()
    await store.close()
    loop.stop()
  }

  /// Lets the loop take what has come by now.
  public func turn() async {
    await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
  }

  /// Lets so much time pass, over and over, until something is so.
  public func wait(passing seconds: Double = 0, until isSo: () async throws -> Bool) async throws {
    while try await !isSo() {
      time.advance(by: seconds)
      await turn()
    }
  }
}
