/// The signed-in users of an app, and who watches whom. A user is online while one connection is signed in.
package struct Users<Connection: Hashable> {
  private var online: [String: Set<Connection>] = [:]
  private var watchers: [String: Set<Connection>] = [:]

  package init() {}

  package func connections(of user: String) -> Set<Connection> { online[user] ?? [] }
  /// The connections that want to hear of the user.
  package func watchers(of user: String) -> Set<Connection> { watchers[user] ?? [] }

  package func isOnline(_ user: String) -> Bool { online[user] != nil }
  /// All who are online.
  package var all: some Sequence<String> { online.keys }

  /// - Returns: true if the user was not online before, and those of the watchlist who are, and who are not.
  package mutating func signIn(_ user: User, _ connection: Connection) -> (
    isFirst: Bool, online: [String], offline: [String]
  ) {
    let isFirst = online[user.id] == nil
    online[user.id, default: []].insert(connection)
    for other in user.watchlist { watchers[other, default: []].insert(connection) }
    let (there, away) = (user.watchlist.filter { online[$0] != nil }, user.watchlist.filter { online[$0] == nil })
    return (isFirst, there, away)
  }

  /// - Returns: true if the user is not online any more.
  package mutating func signOut(_ user: User, _ connection: Connection) -> Bool {
    for other in user.watchlist {
      watchers[other]?.remove(connection)
      if watchers[other]?.isEmpty == true { watchers[other] = nil }
    }
    online[user.id]?.remove(connection)
    guard online[user.id]?.isEmpty == true else { return false }
    online[user.id] = nil
    return true
  }
}
