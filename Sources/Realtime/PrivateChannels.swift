import Crypto
import Synchronization

/// The access control of channels whose names begin with "private-", as in the Pusher protocol: the hub signs the id of
/// a socket and a channel's name for a caller that it knows, and the socket subscribes with that signature.
///
/// A signature is valid for one socket, and names its holder: a signed-in device, or a token. So it need not be kept,
/// and the socket may be that of another hub with the same key. A subscription ends with the right to it: before each
/// event of a private channel, and whenever the hub demands it, the holders' rights are checked again.
public struct ChannelGate: Sendable {
  /// The key of the signatures.
  let secret: [UInt8]
  /// Returns those of the holders that may listen to the channel now; nil if that cannot be found out.
  let allowed: @Sendable (_ channel: String, _ holders: [String]) async -> Set<String>?
  /// Runs a check beside its caller.
  let start: @Sendable (_ check: @escaping @Sendable () async -> Void) -> Void

  /// - Parameter start: runs a check, which reads the store, beside its caller; the owner of the store ends it before
  ///   the store is closed.
  public init(
    secret: [UInt8], start: @escaping @Sendable (_ check: @escaping @Sendable () async -> Void) -> Void,
    allowed: @escaping @Sendable (_ channel: String, _ holders: [String]) async -> Set<String>?
  ) {
    self.secret = secret
    self.start = start
    self.allowed = allowed
  }

  /// `key:`, the signature of "socket:channel:holder" in hexadecimal, a dot, and the holder.
  func signature(_ holder: String, socketID: String, channel: String) -> String {
    let bytes = Digest.hmacSHA256("\(socketID):\(channel):\(holder)".utf8, key: secret)
    return "\(Channels.appKey):\(Digest.hex(bytes)).\(holder)"
  }
}

/// The holders of all subscriptions.
final class Grants: Sendable {
  private struct State {
    var gate: ChannelGate?
    /// The number of subscriptions of each holder to each channel.
    var listening: [String: [String: Int]] = [:]
  }
  private let state = Mutex(State())

  func open(_ gate: ChannelGate) { state.withLock { $0.gate = gate } }

  var gate: ChannelGate? { state.withLock { $0.gate } }

  /// The holder of a valid signature; nil for an invalid one.
  func use(_ signature: String, socketID: String, channel: String) -> String? {
    guard let dot = signature.firstIndex(of: ".") else { return nil }
    let holder = String(signature[signature.index(after: dot)...])
    return state.withLock { state in
      guard let gate = state.gate,
        Digest.areEqual(Array(signature.utf8), Array(gate.signature(holder, socketID: socketID, channel: channel).utf8))
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

  /// The holders that listen to a channel without a right to any more; nil if that cannot be found out.
  /// - Parameter some: those to be looked at; nil for all.
  func ended(_ channel: String, among some: Set<String>?) async -> Set<String>? {
    let (gate, all) = state.withLock { ($0.gate, Set($0.listening[channel, default: [:]].keys)) }
    let holders = Array(some.map(all.intersection) ?? all)
    guard let gate, !holders.isEmpty else { return [] }
    return await gate.allowed(channel, holders).map { Set(holders).subtracting($0) }
  }
}
