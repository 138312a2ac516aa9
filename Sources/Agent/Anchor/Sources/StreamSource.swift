import AnchorWatch
import EventLoop
import Lifecycle
import Positions
import TCPClient

/// gpsd, or NMEA 0183, over TCP: it connects, and connects again. Confined to its loop.
final class StreamSource: FixSource {
  enum Format {
    case gpsd, nmea
  }

  let name: String
  private let loop: EventLoop
  private let names: NameLookup
  private let host: String
  private let port: UInt16
  private let format: Format
  private var reader: any PositionReader
  private var socket: ClientConnection?
  private var take: ((Fix) -> Void)?
  private var timer: LoopTimer?
  private var pause = AgentWatchLimits.reconnectSeconds.lowerBound

  init(_ format: Format, host: String, port: UInt16, names: NameLookup, loop: EventLoop) {
    (self.format, self.host, self.port, self.names, self.loop) = (format, host, port, names, loop)
    name = "\(format) \(host)"
    reader = Self.reader(format)
  }

  private static func reader(_ format: Format) -> any PositionReader {
    switch format {
    case .gpsd: GPSDReader()
    case .nmea: NMEAReader()
    }
  }

  func open(_ take: @escaping (Fix) -> Void) {
    self.take = take
    connect()
  }

  func close() {
    take = nil
    timer?.cancel()
    socket?.close()
    socket = nil
  }

  private func connect() {
    reader = Self.reader(format)
    let socket = ClientConnection(loop: loop, names: names, host: host, port: port, trust: nil)
    self.socket = socket
    watchForSilence()
    socket.open { [weak self, weak socket] event in
      guard let self, let socket, self.socket === socket else { return }
      switch event {
      case .opened: if format == .gpsd { socket.write(Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)) }
      case .bytes(let bytes): heard(bytes)
      case .drained: break
      case .failed: again()
      }
    }
  }

  private func heard(_ bytes: UnsafeBufferPointer<UInt8>) {
    pause = AgentWatchLimits.reconnectSeconds.lowerBound
    var fixes: [Fix] = []
    reader.feed(bytes, received: loop.time.now) { if case .fix(let fix) = $0 { fixes.append(fix) } }
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
    socket?.close()
    socket = nil
    timer?.cancel()
    timer = loop.schedule(after: pause) { [weak self] in
      if self?.take != nil { self?.connect() }
    }
    pause = min(pause * 2, AgentWatchLimits.reconnectSeconds.upperBound)
  }
}
