import Server

/// A client that reads one of the hub's channels as Server-Sent Events.
final class Reader: EventStreamHandler {
  private let app: AppChannels
  private let name: String
  private(set) var stream: EventStream?

  init(_ app: AppChannels, channel: String) {
    self.app = app
    name = channel
  }

  func opened(_ stream: EventStream) {
    self.stream = stream
    app.shard(of: stream.loop).channel(name).readers.append(self)
    app.count(readers: 1, of: name, on: stream.loop)
  }

  func closed() {
    guard let stream else { return }
    self.stream = nil
    let shard = app.shard(of: stream.loop)
    let channel = shard.channel(name)
    channel.readers.removeAll { $0 === self }
    shard.drop(channel)
    app.count(readers: -1, of: name, on: stream.loop)
  }
}
