import EventLoop
import Lifecycle
import Positions
import WebSocketClient
import Wire

/// A Signal K server over WebSocket: it subscribes to the own vessel's position and to what is told beside it, and
/// connects again. Confined to its loop.
final class SignalKSource: FixSource {
  let name: String
  private let connector: WebSocketConnector
  private let loop: EventLoop
  private let address: WebSocketAddress
  private var reader = SignalKReader()
  private var socket: WebSocketConnection?
  /// The number of the present connection: what one before it still tells is over.
  private var number = 0
  let connection: Reconnection

  /// - Parameter address: such as ws://boat.local:3000; a path in it, such as one with a token, is taken as it is.
  init(
    _ address: WebSocketAddress, _ connector: WebSocketConnector, loop: EventLoop, warn: @escaping (String) -> Void
  ) {
    var address = address
    if address.target == "/" { address.target = Self.stream }
    (self.address, self.connector, self.loop) = (address, connector, loop)
    name = "signalk \(address.host)"
    connection = Reconnection(loop, warn: warn)
  }

  /// The stream of specification 1.7, without what nobody asked for.
  private static let stream = "/signalk/v1/stream?subscribe=none"

  func connect() {
    reader.restart()
    number += 1
    socket = connector.open(address, messageBytes: PositionLimits.objectBytes) { [weak self, number] event in
      guard let self, number == self.number else { return }
      switch event {
      case .opened: socket?.send(Self.subscription.text)
      case .message(let text): heard(text)
      case .closed(let code, let reason):
        let words = reason.isEmpty ? "" : ", \(reason.prefix(60))"
        connection.lost("the server closed it: \(code.rawValue)\(words)")
      case .failed(let reason, _): connection.lost(reason)
      }
    }
  }

  func disconnect() {
    number += 1
    socket?.abandon()
    socket = nil
  }

  private func heard(_ text: String) {
    var readings: [Positions.Reading] = []
    reader.feed(text.utf8, received: loop.time.now) { readings.append($0) }
    // Each message is a delta of its own.
    reader.finish { readings.append($0) }
    connection.heard(readings)
  }

  private static let subscription: JSON = [
    "context": "vessels.self",
    "subscribe": .array(
      SignalKReader.paths.map { ["path": .string($0), "policy": "instant", "minPeriod": 1_000] }),
  ]
}
