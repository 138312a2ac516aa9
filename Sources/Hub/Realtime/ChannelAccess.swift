import Lifecycle
import Observe
import Realtime
public import Server
public import Store
import Wire

/// The credential of a private subscription: when it ends, so does the subscription.
enum ChannelHolder: Equatable {
  case device(Int)
  case token(Int)
  case guest(Principal.Guest)

  init?(_ principal: Principal) {
    if let device = principal.device {
      self = .device(device)
    } else if let token = principal.token {
      self = .token(token)
    } else if let guest = principal.guest {
      self = .guest(guest)
    } else {
      return nil
    }
  }

  init?(text: String) {
    let parts = text.split(separator: ":")
    guard parts.count > 1, let id = Int(parts[parts.count - 1]) else { return nil }
    switch (parts[0], parts.count) {
    case ("device", 2): self = .device(id)
    case ("token", 2): self = .token(id)
    case ("guest", 3): self = .guest(Principal.Guest(room: String(parts[1]), id: id))
    default: return nil
    }
  }

  var text: String {
    switch self {
    case .device(let id): "device:\(id)"
    case .token(let id): "token:\(id)"
    case .guest(let guest): "guest:\(guest.room):\(guest.id)"
    }
  }
}

extension Change {
  /// Notifies all devices of a person that their name, role, devices or passkeys have changed.
  func tell(person id: Int) { publish("person", on: .person(id), [:]) }

  /// Notifies the people concerned by a sign-in: the one with a new device, and the one whose device it was before.
  func tell(of signIn: Links.SignIn) {
    rightsChanged()
    for person in [signIn.principal.person, signIn.replaced] {
      if let person { tell(person: person) }
    }
  }
}

extension Hub {
  /// Prepares private channels. To be called before the hub serves.
  public func openPrivateChannels() async throws(StoreError) {
    let now = time.now
    let secret = try await store.write { database throws(StoreError) in
      try database.channelSecret(app: Channels.appKey, now: now)
    }
    let (store, log, supervisor) = (store, log, supervisor)
    channels.open(
      ChannelGate(secret: secret, start: { check in _ = supervisor.once("realtime.rights", check) }) {
        [unowned self] channel, holders in
        do throws(StoreError) {
          return try await store.read { database throws(StoreError) in
            var allowed: Set<String> = []
            for text in holders {
              guard let holder = ChannelHolder(text: text), let principal = try self.principal(holder, in: database)
              else { continue }
              if try self.mayListen(principal, to: channel, in: database) { allowed.insert(text) }
            }
            return allowed
          }
        } catch {
          log.error("the store failed", ["error": error.message, "context": error.context])
          return nil
        }
      })
  }

  /// Serves the signatures for private channels.
  func addChannelRoutes(to router: inout Router) {
    router.on(.post, "/api/v1/realtime/auth", admit: needs(.enter), .task(sign))
  }

  private func sign(_ request: Request) async throws(HTTPError) -> Response {
    try await signature(for: try await authorise(request, .enter), request)
  }

  /// The answer to Pusher's channel authorisation: a form in, `{"auth": "key:signature"}` out.
  /// - Parameter principal: the request's caller; a room whose guests listen to its channels has a route for them.
  public func signature(for principal: Principal, _ request: Request) async throws(HTTPError) -> Response {
    let form = request.form
    let isAllowed = try await stored { [name = form["channel_name"]] () throws(StoreError) in
      guard let name else { return true }
      return try await store.look { [self] database throws(StoreError) in
        try mayListen(principal, to: name, in: database)
      }
    }
    guard isAllowed || !channels.isPrivate(form["channel_name"] ?? "") else {
      throw HTTPError(
        .channelNotAllowed, "\(form["channel_name"] ?? "") is not for you.",
        help: privateChannelsInWords)
    }
    guard let socket = form["socket_id"], let channel = form["channel_name"], let holder = ChannelHolder(principal),
      let signature = channels.grant(holder.text, socketID: socket, channel: channel)
    else {
      var refusal = HTTPError(
        .invalidField, "The form lacks a socket, or the name of a private channel.",
        help: "Send socket_id=1234.5678&channel_name=private-members as application/x-www-form-urlencoded.")
      for name in ["socket_id", "channel_name"] {
        let seen = form[name].map { "\"\($0.prefix(40))\"" } ?? "missing"
        refusal.problems.append(.init(name, "\(seen); the socket's own id and a private channel are accepted."))
      }
      throw refusal
    }
    return Response(json: ["auth": .string(signature)]).notStored()
  }
}
