import Lifecycle
import Observe
import Realtime
import Server
public import Store
import Wire

/// The credential of a private subscription: when it ends, so does the subscription.
enum ChannelHolder: Equatable {
  case device(Int)
  case token(Int)

  init?(_ principal: Principal) {
    if let device = principal.device {
      self = .device(device)
    } else if let token = principal.token {
      self = .token(token)
    } else {
      return nil
    }
  }

  init?(text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let id = Int(parts[1]) else { return nil }
    switch parts[0] {
    case "device": self = .device(id)
    case "token": self = .token(id)
    default: return nil
    }
  }

  var text: String {
    switch self {
    case .device(let id): "device:\(id)"
    case .token(let id): "token:\(id)"
    }
  }
}

extension Change {
  /// Notifies all devices of a person that their name, role, devices or passkeys have changed.
  func tell(person id: Int) { publish("person", on: PrivateChannel.person(id), [:]) }

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
              guard let holder = ChannelHolder(text: text), let principal = try database.principal(holder) else {
                continue
              }
              if self.mayListen(principal, to: channel) { allowed.insert(text) }
            }
            return allowed
          }
        } catch {
          // Without the store nobody gets the event, since it may be for others only.
          log.error("the store failed", ["error": error.message, "context": error.context])
          return []
        }
      })
  }

  /// Serves the signatures for private channels.
  func addChannelRoutes(to router: inout Router) {
    router.on(.post, "/api/v1/realtime/auth", .task { [self] request throws(HTTPError) in try await sign(request) })
  }

  /// Pusher's channel authorisation: a form in, `{"auth": "key:signature"}` out.
  private func sign(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await authorise(request, .enter)
    let form = request.form
    let isAllowed = form["channel_name"].map { mayListen(principal, to: $0) } ?? true
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
    var response = Response(json: ["auth": .string(signature)])
    response.cacheControl = "no-store"
    return response
  }
}
