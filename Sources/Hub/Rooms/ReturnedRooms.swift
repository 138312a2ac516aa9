import Observe
import Server
public import Store

extension Hub {
  /// Tells rooms that were switched off, and are on again, who was removed or has lost rights meanwhile: what they keep
  /// of these people must not count any more. To be called by `serve` when the rooms are open, before it answers
  /// anybody.
  public func tellReturnedRooms() async throws(StoreError) {
    let waiting = try await store.read { database throws(StoreError) in try database.untoldRooms() }
    for room in rooms {
      let id = type(of: room).plan.id
      guard waiting.contains(id) else { continue }
      do throws(HTTPError) {
        try await commit(as: .room(id)) { change in
          for (person, isRemoved) in try change.database.untold(to: id) {
            if isRemoved {
              try room.personRemoved(person, in: change)
            } else {
              try room.personLostRights(person, in: change)
            }
          }
          try change.database.removeUntold(to: id)
        }
      } catch {
        log.error(
          "a room was not told who went while it was off; it is at the next start",
          ["room": id, "error": error.error])
      }
    }
  }
}
