package import Wire

/// The members of a presence channel, on all loops. A user with several connections is one member: only the first
/// coming and the last leaving change anything.
package struct Presence: Sendable {
  private struct Member: Sendable {
    let id: String
    let info: JSON?
    var connections: Int
  }
  /// In the order of coming; there are at most `RealtimeLimits.members`.
  private var members: [Member] = []

  package init() {}

  package var ids: [String] { members.map(\.id) }

  /// The member of that id.
  package func user(_ id: String) -> User? { members.first { $0.id == id }.map { User(id: $0.id, info: $0.info) } }

  /// These members, and others who are at other hubs; a member of both counts once.
  package func joined(by others: [User]) -> Presence {
    var all = self
    for user in others where all.user(user.id) == nil {
      all.members.append(Member(id: user.id, info: user.info, connections: 0))
    }
    return all
  }

  package enum Entry: Equatable {
    case first, another, full
  }

  /// Counts a connection of the user; what its first one said about the user stays.
  package mutating func enter(_ user: User) -> Entry {
    if let index = members.firstIndex(where: { $0.id == user.id }) {
      members[index].connections += 1
      return .another
    }
    guard members.count < RealtimeLimits.members else { return .full }
    members.append(Member(id: user.id, info: user.info, connections: 1))
    return .first
  }

  /// - Returns: true if it was the user's last connection.
  package mutating func leave(_ id: String) -> Bool {
    guard let index = members.firstIndex(where: { $0.id == id }) else { return false }
    members[index].connections -= 1
    if members[index].connections > 0 { return false }
    members.remove(at: index)
    return true
  }

  /// The members as a new one is told them, itself among them.
  package var json: JSON {
    let hash = JSON.object(members.map { JSON.Member($0.id, $0.info ?? nil) })
    return [
      "presence": ["ids": .array(members.map { .string($0.id) }), "hash": hash, "count": .int(members.count)]
    ]
  }

  package static func added(_ user: User) -> JSON {
    var members = [JSON.Member("user_id", .string(user.id))]
    if let info = user.info { members.append(JSON.Member("user_info", info)) }
    return .object(members)
  }

  package static func removed(_ id: String) -> JSON { ["user_id": .string(id)] }
}
