/// The interface for the hub, which knows the way to the others on the same database server.
extension Channels {
  /// From now on the channels of apps are those of all hubs. To be called once, when messages can be sent.
  public func join(_ link: PeerLink) { apps.join(link) }

  /// Takes a message of another hub, on any thread, in the order in which they come.
  public func take(_ bytes: [UInt8]) {
    guard let peers = apps.peers, let message = PeerMessage(bytes), let heard = peers.heard(message) else { return }
    switch message.content {
    case .told(let told, _): apps.channels(of: told.app)?.take(told, from: message.hub)
    case .event(let event): apps.channels(of: event.app)?.take(event)
    case .terminate(let app, let user): apps[app]?.terminateHere(user: user)
    case .begin: for app in apps.all { app.begins(message.hub) }
    case .bye: gone(message.hub)
    case .hello, .whole: break
    }
    switch heard {
    case .taken: break
    case .first: peers.sayHello()
    case .wanted: peers.tellAll { apps.all.flatMap { $0.everything() } }
    case .whole: for app in apps.all { app.forgetRest(of: message.hub) }
    }
  }

  private func gone(_ hub: String) {
    apps.peers?.forget(hub)
    for app in apps.all {
      app.begins(hub)
      app.forgetRest(of: hub)
    }
  }

  /// To be called once a second: a sign of life, and those that give none are gone.
  /// - Returns: those that are heard.
  @discardableResult
  public func lookAtPeers() -> Set<String> {
    guard let peers = apps.peers else { return [] }
    for hub in peers.silent() { gone(hub) }
    peers.sayHello()
    return peers.known
  }

  /// This hub ends: whoever is connected to it is gone.
  public func leavePeers() { apps.peers?.sayBye() }

  /// This hub sends the webhooks about what several hubs have to do with, or does so no more: one of them is to.
  public func keepWebhooks(_ isKeeper: Bool) { apps.keepWebhooks(isKeeper) }
}
