import EventLoop
import Server
import Wire

/// The listeners of one app on one loop. Confined to it.
final class Shard: @unchecked Sendable {
  /// One channel's listeners. Each knows its index, so that removing one is quick however many there are.
  final class Channel {
    let name: String
    var clients: ContiguousArray<Client> = []
    var readers: ContiguousArray<Reader> = []
    /// The number of the last event that the listeners were sent, where the app keeps a history.
    var serial: Int?
    /// The holder for whom each client listens, where the hub has signed for one.
    var holders: [ObjectIdentifier: String] = [:]
    init(_ name: String) { self.name = name }
    var isEmpty: Bool { clients.isEmpty && readers.isEmpty }
  }

  let loop: EventLoop
  private var channels: [String: Channel] = [:]
  private var clients: Set<Client> = []
  /// Called with the number of messages sent.
  private let count: (@Sendable (Int) -> Void)?

  init(_ loop: EventLoop, _ count: (@Sendable (Int) -> Void)?) {
    self.loop = loop
    self.count = count
  }

  func tell(_ news: News) {
    guard let channel = channels[news.channel] else { return }
    let encoded = news.encoded
    if let serial = news.serial { channel.serial = serial }
    var receivers = channel.clients.count
    if let except = news.except {
      for client in channel.clients {
        if client.socketID == except { receivers -= 1 } else { client.socket?.send(encoded.message) }
      }
    } else {
      for client in channel.clients { client.socket?.send(encoded.message) }
    }
    for reader in channel.readers { reader.stream?.send(encoded.event) }
    count?(receivers)
  }

  /// Disconnects the channel's listeners such that they reconnect and fetch what they have missed.
  func reconnect(_ name: String) {
    for client in channels[name]?.clients ?? [] {
      client.refuse(CloseCode.reconnectNow, "Something may have been missed.")
    }
  }

  /// Has those connect anew for whom somebody has vouched, since that may not count any more.
  func reconnectVouchedFor(_ reason: String) {
    for client in clients where client.isVouchedFor { client.refuse(CloseCode.reconnectNow, reason) }
  }

  /// Disconnects everybody.
  func close(_ code: Int, _ reason: String) {
    for client in clients { client.refuse(code, reason) }
    for reader in channels.values.flatMap(\.readers) { reader.stream?.close() }
  }

  /// Ends the subscriptions made for these holders.
  /// - Parameter name: the channel; nil for all.
  func end(_ holders: Set<String>, of name: String? = nil) {
    for channel in channels.values where !channel.holders.isEmpty && channel.name == name ?? channel.name {
      for client in channel.clients where holders.contains(channel.holders[ObjectIdentifier(client)] ?? "") {
        client.end(channel.name)
      }
    }
  }

  func add(_ client: Client) { clients.insert(client) }
  func remove(_ client: Client) { clients.remove(client) }

  func channel(_ name: String) -> Channel {
    if let channel = channels[name] { return channel }
    let channel = Channel(name)
    channels[name] = channel
    return channel
  }

  func drop(_ channel: Channel) { if channel.isEmpty { channels[channel.name] = nil } }
}

extension ContiguousArray {
  /// Removes an element in a time that does not depend on the number of them: the last one takes its place.
  /// - Returns: the one that has moved; nil if the last one was removed.
  mutating func removeQuickly(at index: Int) -> Element? {
    let last = removeLast()
    if index == count { return nil }
    self[index] = last
    return last
  }
}

extension CloseCode {
  /// The Pusher protocol's codes for reconnecting at once, and for a ping without an answer.
  static let reconnectNow = 4200
  static let noPong = CloseCode(rawValue: 4201)
}
