import Server

/// A client that reads one of the hub's channels as Server-Sent Events.
final class Reader: EventStreamHandler {
  private let app: AppChannels
  private let name: String
  private(set) var stream: EventStream?
  /// Set while it listens.
  private var place: (channel: Shard.Channel, index: Int)?

  init(_ app: AppChannels, channel: String) {
    self.app = app
    name = channel
  }

  func opened(_ stream: EventStream) {
    self.stream = stream
    let channel = app.shard(of: stream.loop).channel(name)
    place = (channel, channel.readers.count)
    channel.readers.append(self)
    app.count(readers: 1, of: name, on: stream.loop)
  }

  func closed() {
    guard let stream, let (channel, index) = place else { return }
    self.stream = nil
    place = nil
    if let moved = channel.readers.removeQuickly(at: index) { moved.place?.index = index }
    app.shard(of: stream.loop).drop(channel)
    app.count(readers: -1, of: name, on: stream.loop)
  }
}
