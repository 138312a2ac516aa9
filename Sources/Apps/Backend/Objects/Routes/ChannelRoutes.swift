import Objects
import Realtime
import Server
import Wire

/// Private and presence channels for the users of an app: where its owner lets it, the hub signs for whoever is signed
/// in, as a server of the app's own would. So a static page is enough.
struct ChannelRoutes: Sendable {
  let objects: AppObjects

  func add(to routes: inout ParseRoutes) {
    routes.on(.post, "/channels/auth", sign)
  }

  /// Takes `socket_id` and `channel_name`, as a form, which Pusher's libraries send, or as JSON.
  private func sign(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    let app = request.app
    guard app.options.userChannels else {
      throw ObjectError.forbidden("Users may not enter channels by themselves; the app's owner can let them.").http
    }
    guard request.caller.user != nil else {
      throw ObjectError(206, "Whoever is to enter a channel signs in first.").http
    }
    let form = request.raw.form
    let socket = request.body["socket_id"]?.string ?? form["socket_id"] ?? ""
    let channel = request.body["channel_name"]?.string ?? form["channel_name"] ?? ""
    let name = ChannelName(channel)
    guard SocketID.isRight(socket), ChannelName.isRight(channel), name.needsSignature, !name.isEncrypted else {
      throw ObjectError.json(
        "socket_id \"\(socket.prefix(60))\", channel_name \"\(channel.prefix(60))\": a socket's id such as 12.34 and a "
          + "private or presence channel are accepted, but no encrypted one."
      ).http
    }
    guard let secret = app.secrets.first?.text else { throw HTTPError.unauthorized }
    let (session, data) = try await objects.readBriefly("_Session", of: app, as: request.caller) { reader in
      let ids = try reader.ownIDs()
      return (ids.session, name.isPresence ? try reader.member(ids.user) : nil)
    }
    let auth = AppSignature.make(
      for: session, socketID: socket, channel: channel, channelData: data, key: app.key, secret: secret)
    var members = [JSON.Member("auth", .string(auth))]
    if let data { members.append(.init("channel_data", .string(data))) }
    return ParseAnswer(json: .object(members))
  }
}

extension ObjectReader {
  /// A member of a presence channel: the user's id, and how he is called.
  fileprivate func member(_ id: String) throws -> String {
    // One letter may have thousands of marks, and the hub refuses a member with so long a name.
    let name = try user(id)?["name"]?.string.map { String($0.unicodeScalars.prefix(AppsLimits.memberName)) }
    return (["user_id": .string(id), "user_info": ["name": JSON(name)]] as JSON).text
  }
}
