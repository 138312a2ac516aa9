import Crypto
import Synchronization

/// Who may listen to channels whose names begin with "private-", as the Pusher protocol has it: the hub signs the name
/// of a socket and a channel for someone it knows, and the socket subscribes with that signature.
///
/// A signature is for one subscription, and it is remembered for whom it was made (the holder: a device that is signed
/// in, or a token). So a subscription ends with what gave the right to it: before each event of a private channel, and
/// whenever the hub asks for it, those who may listen no more are sent away.
public struct ChannelGate: Sendable {
  /// What signatures are made with.
  let secret: [UInt8]
  /// Which of the holders may listen to the channel at this moment.
  let allowed: @Sendable (_ channel: String, _ holders: [String]) async -> Set<String>

  public init(
    secret: [UInt8], allowed: @escaping @Sendable (_ channel: String, _ holders: [String]) async -> Set<String>
  ) {
    self.secret = secret
    self.allowed = allowed
  }

  /// `key:` and the signature of "socket:channel" in hexadecimal.
  func signature(socketID: String, channel: String) -> String {
    let bytes = Digest.hmacSHA256("\(socketID):\(channel)".utf8, key: secret)
    return "\(Channels.appKey):\(Digest.hex(bytes))"
  }
}

/// Signatures that were given out and not used yet, and who listens where.
final class Grants: Sendable {
  /// Signatures that may wait to be used: a page uses its own within a second. Past it the oldest is void.
  static let waiting = 4_096

  private struct Key: Hashable {
    var socketID: String
    var channel: String
  }
  private struct State {
    var gate: ChannelGate?
    var waiting: [Key: String] = [:]
    var order: [Key] = []
    /// How many subscriptions each holder has to each channel.
    var listening: [String: [String: Int]] = [:]
  }
  private let state = Mutex(State())

  func open(_ gate: ChannelGate) { state.withLock { $0.gate = gate } }

  var gate: ChannelGate? { state.withLock { $0.gate } }

  /// The signature, remembered for its holder.
  func grant(_ holder: String, socketID: String, channel: String) -> String? {
    state.withLock { state in
      guard let gate = state.gate else { return nil }
      let key = Key(socketID: socketID, channel: channel)
      if state.waiting.updateValue(holder, forKey: key) == nil { state.order.append(key) }
      if state.order.count > Self.waiting * 2 { state.order.removeAll { state.waiting[$0] == nil } }
      while state.waiting.count > Self.waiting { state.waiting[state.order.removeFirst()] = nil }
      return gate.signature(socketID: socketID, channel: channel)
    }
  }

  /// For whom a signature was made that is right; it is used up.
  func use(_ signature: String, socketID: String, channel: String) -> String? {
    state.withLock { state in
      guard let gate = state.gate,
        Digest.areEqual(Array(signature.utf8), Array(gate.signature(socketID: socketID, channel: channel).utf8)),
        let holder = state.waiting.removeValue(forKey: Key(socketID: socketID, channel: channel))
      else { return nil }
      state.listening[channel, default: [:]][holder, default: 0] += 1
      return holder
    }
  }

  func left(_ holder: String, _ channel: String) {
    state.withLock { state in
      guard let count = state.listening[channel]?[holder] else { return }
      state.listening[channel]?[holder] = count > 1 ? count - 1 : nil
      if state.listening[channel]?.isEmpty == true { state.listening[channel] = nil }
    }
  }

  func isListenedTo(_ channel: String) -> Bool { state.withLock { $0.listening[channel] != nil } }

  var channels: [String] { state.withLock { Array($0.listening.keys) } }

  /// Those who listen to a channel and may not any more.
  func ended(_ channel: String) async -> Set<String> {
    let (gate, holders) = state.withLock { ($0.gate, Array($0.listening[channel, default: [:]].keys)) }
    guard let gate, !holders.isEmpty else { return [] }
    return await Set(holders).subtracting(gate.allowed(channel, holders))
  }
}
