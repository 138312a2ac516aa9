import EventLoop
import Hub
import Lifecycle
import Store

/// Rings photographers for what has come back, once it was gathered for a while.
final class SentRings: Sendable {
  private let hub: Hub
  private let poller: Poller

  init(_ hub: Hub) {
    self.hub = hub
    poller = Poller(hub.loop)
  }

  func wake() { poller.wake() }

  func run() async throws {
    try await poller.run { [hub] in
      let now = hub.time.now
      let (due, next) = try await hub.store.read { database throws(StoreError) in
        try database.sentToRing(at: now)
      }
      for link in due {
        try await hub.commit(as: .room(PortfolioRoom.id)) { change in try ClientChange.ringMarks(link, in: change) }
      }
      return next.map { max(1, $0 - now) }
    }
  }
}
