import AnchorWatch
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
  private var connection: WebSocketConnection?
  private var take: ((Fix) -> Void)?
  private var timer: LoopTimer?
  private var pause = AgentWatchLimits.reconnectSeconds.lowerBound

  /// - Parameter address: such as ws://boat.local:3000; a path in it, such as one with a token, is taken as it is.
  init(_ address: WebSocketAddress, _ connector: WebSocketConnector, loop: EventLoop) {
    var address = address
    if address.target == "/" { address.target = Self.stream }
    (self.address, self.connector, self.loop) = (address, connector, loop)
    name = "signalk \(address.host)"
  }

  /// The stream of specification 1.7, without what nobody asked for.
  private static let stream = "/signalk/v1/stream?subscribe=none"

  func open(_ take: @escaping (Fix) -> Void) {
    self.take = take
    connect()
  }

  func close() {
    take = nil
    timer?.cancel()
    connection?.abandon()
    connection = nil
  }

  private func connect() {
    reader = SignalKReader()
    watchForSilence()
    connection = connector.open(address) { [weak self] event in
      guard let self, take != nil else { return }
      switch event {
      case .opened: connection?.send(Self.subscription.text)
      case .message(let text): heard(text)
      case .closed, .failed: again()
      }
    }
  }

  private func heard(_ text: String) {
    pause = AgentWatchLimits.reconnectSeconds.lowerBound
    var fixes: [Fix] = []
    let add: (Positions.Reading) -> Void = { if case .fix(let fix) = $0 { fixes.append(fix) } }
    reader.feed(text.utf8, received: loop.time.now, add)
    // Each message is a delta of its own.
    reader.finish(add)
    // Whoever takes one may close the source.
    for fix in fixes { take?(fix) }
    if take != nil { watchForSilence() }
  }

  /// A connection that says nothing may have gone without a word.
  private func watchForSilence() {
    timer?.cancel()
    timer = loop.schedule(after: AgentWatchLimits.silentSeconds) { [weak self] in self?.again() }
  }

  private func again() {
    connection?.abandon()
    connection = nil
    timer?.cancel()
    timer = loop.schedule(after: pause) { [weak self] in
      if self?.take != nil { self?.connect() }
    }
    pause = min(pause * 2, AgentWatchLimits.reconnectSeconds.upperBound)
  }

  private static let subscription: JSON = [
    "context": "vessels.self",
    "subscribe": .array(
      SignalKReader.paths.map { ["path": .string($0), "policy": "instant", "minPeriod": 1_000] }),
  ]
}
