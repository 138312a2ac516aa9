import EventLoop
import Hub
import Lifecycle
import Settings
import Store

/// Makes the kettle cold when its time is over.
final class KettleWatch: Sendable {
  static let minutes = Setting(
    "kettle_minutes", "N", fallback: "15", help: "how long water stays hot, 1 to 240 minutes"
  ) { value throws(SettingsError) in
    guard let minutes = Int(value), (1...240).contains(minutes) else {
      throw SettingsError("kettle_minutes: \"\(value)\"; 1 to 240 are accepted.")
    }
  }
  /// Seconds between checks whether a command beside the hub has put it on.
  private static let lookSeconds = 60.0

  private let hub: Hub
  private let board: KettleBoard
  private let poller: Poller

  init(_ hub: Hub, _ board: KettleBoard) {
    (self.hub, self.board) = (hub, board)
    poller = Poller(hub.loop)
  }

  /// Called when the kettle was put on.
  func wake() { poller.wake() }

  func run() async throws {
    try await poller.run { [self] in
      let kettle = try await hub.store.read { database throws(StoreError) in try database.kettle() }
      board.set(kettle)
      guard let kettle, kettle.isHot else { return Self.lookSeconds }
      let left = kettle.since + 60 * (Double(hub.options[Self.minutes.name]) ?? 0) - hub.time.now
      guard left <= 0 else { return min(left, Self.lookSeconds) }
      let cold = try await hub.commit(as: .room(KettleRoom.id)) { change in try KettleChange.cool(kettle, in: change) }
      board.set(cold)
      return Self.lookSeconds
    }
  }
}
