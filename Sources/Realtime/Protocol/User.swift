package import Wire

/// A user of an app, as the app's server has signed it: a member of a presence channel, or whoever is signed in.
package struct User: Equatable, Sendable {
  package var id: String
  /// Shown to other members; nil without any.
  package var info: JSON?
  /// The ids of users whose coming and going the client wants to hear of. More than are accepted are left out.
  package var watchlist: [String] = []
  package var hasTooLongWatchlist = false

  package init(id: String, info: JSON? = nil) {
    self.id = id
    self.info = info
  }

  /// Reads the `channel_data` of a presence channel.
  package init(channelData text: String) throws(UserFault) {
    let data = try? JSON(fromBrowser: text)
    // A number becomes a string: 10 and "10" are one user.
    let id =
      switch data?["user_id"] {
      case .string(let id)?: id
      case .int(let number)?: "\(number)"
      case .double(let number)?: "\(number)"
      default: ""
      }
    try self.init(checking: id, "channel_data", "user_id", data?["user_info"])
  }

  /// Reads the `user_data` of a sign-in.
  package init(userData text: String) throws(UserFault) {
    let data = try? JSON(fromBrowser: text)
    try self.init(checking: data?["id"]?.string ?? "", "user_data", "id", data?["user_info"])
    let watched = data?["watchlist"]?.array?.compactMap(\.string) ?? []
    watchlist = Array(watched.prefix(RealtimeLimits.watchlist))
    hasTooLongWatchlist = watched.count > RealtimeLimits.watchlist
  }

  private init(checking id: String, _ data: String, _ field: String, _ info: JSON?) throws(UserFault) {
    guard !id.isEmpty else { throw UserFault("\(data) is no JSON object with a \(field) that is not empty.") }
    let characters = id.unicodeScalars.count
    guard characters <= RealtimeLimits.userID else {
      throw UserFault("\(field) has \(characters) characters; \(RealtimeLimits.userID) are accepted.", isTooLarge: true)
    }
    self.init(id: id, info: info == .null ? nil : info)
    if let bytes = self.info?.bytes.count, bytes > RealtimeLimits.userInfoBytes {
      throw UserFault("user_info has \(bytes) bytes; \(RealtimeLimits.userInfoBytes) are accepted.", isTooLarge: true)
    }
  }
}

/// Why signed data names no user.
package struct UserFault: Error, Equatable {
  package var reason: String
  package var isTooLarge = false

  init(_ reason: String, isTooLarge: Bool = false) {
    self.reason = reason
    self.isTooLarge = isTooLarge
  }
}
