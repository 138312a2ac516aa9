import Delivery
import Server

/// The limits of this module, each with its reason.
package enum GatewayLimits {
  /// Seconds in which a connection must say who it is.
  package static let helloSeconds = 10.0
  /// The most connections that have not said who they are: some hundred bytes each, and a whole club's devices come
  /// back at once when the hub was restarted. Past it the longest waiting is closed, and tries again.
  package static let strangers = 2_000
  /// The most messages sent to a device that it has not acknowledged. The others wait in the store.
  package static let inFlight = 64
  /// Bytes of contents in flight past which no further message is sent: the server drops a socket for which more than
  /// `ServerLimits.socketQueueBytes` wait. The other half has room for the last content and for what is around each.
  package static let inFlightBytes = ServerLimits.socketQueueBytes / 2
  /// The most messages of a connection that are remembered until they are shown: more than can be pending.
  static let known = DeliveryLimits.pending + inFlight
  /// More is fetched when so few are left, with at most half of the bytes.
  package static let refill = 32
  /// The most receipts of a device that wait to be written; a device that sends more has gone wrong.
  package static let receipts = 512
  /// The most receipts written in one transaction: some milliseconds, in which all other writers wait.
  static let receiptsPerCommit = 256
  /// Seconds that receipts wait while thousands of notifications are being sent: those are to arrive first. The devices
  /// have shown theirs, and send again what is not written.
  static let patientSeconds = 0.1
  /// Seconds in which the word of another hub, that a device has connected there, may be late: the hub where it was
  /// before may have been busy, or its database away for a moment.
  package static let lateSeconds = 10.0
  /// A hello has some 200 bytes; an answer a text of 4 KB, in which each byte may be escaped. A device that comes back
  /// acknowledges all that waited for it twice each, as fast as the hub sends it.
  static let bounds = MessageBounds(
    strangersBytes: 1 << 10, bytes: 32 << 10, rate: Rate(burst: Double(2 * known), perSecond: 200),
    quietSeconds: quietSeconds)
  /// Seconds of silence after which the hub pings a device. The heartbeat is the device's, which seeks the longest
  /// interval that its network allows, up to 15 minutes; a ping of ours would only wake its radio.
  static let quietSeconds = 1_200.0
  /// JSON values in one message.
  static let values = 64
  /// Bytes of a secret, and of the name of a device's state.
  static let secretBytes = 128
  static let stateBytes = 64
}
