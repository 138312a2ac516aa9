import Wire

extension Hub {
  /// Rings the owners about the hub itself. It waits a week for a device that is off.
  /// - Parameter subject: such as "hub.database"; what rings about it again replaces the bell before.
  func ringOwners(_ subject: String, title: Bell.Words, body: Bell.Words) async throws {
    let bell = Bell(
      to: ["role": "owner"], title: title, body: body, collapseID: subject, level: .timeSensitive,
      lifetime: 7 * 86_400)
    try await commit(as: .room(Hub.roomID)) { change in try change.ring(subject, bell.json) }
  }
}
