import EventLoop
import Realtime

extension Cluster {
  /// Keeps the channels of apps together with those of the other hubs, until the task is cancelled. Without a bus each
  /// hub has its own.
  func runChannels() async throws {
    let poller = Poller(hub.loop)
    guard !(bus is NoBus) else { return try await poller.run { nil } }
    hearRooms()
    let (bus, channels) = (bus, hub.channels)
    bus.listen(to: PeerLink.all) { channels.take($0) }
    let link = PeerLink(
      hub: id, send: { message, topic in bus.send(message, to: topic) },
      listen: { topic, heard in
        bus.listen(to: topic) { channels.take($0) }
        bus.whenTaken(heard)
      },
      leave: { topic in bus.listen(to: topic, nil) })
    channels.join(link)
    defer { channels.leavePeers() }
    try await poller.run { [self] in
      note(heard: channels.lookAtPeers())
      return 1
    }
  }
}
