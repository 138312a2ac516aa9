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
  private var reader: any ReceiverReader
  private var socket: ClientConnection?
  let connection: Reconnection

  init(
    _ format: Format, host: String, port: UInt16, names: NameLookup, loop: EventLoop, warn: @escaping (String) -> Void
  ) {
    (self.format, self.host, self.port, self.names, self.loop) = (format, host, port, names, loop)
    name = "\(format) \(host)"
    connection = Reconnection(loop, warn: warn)
    reader =
      switch format {
      case .gpsd: GPSDReader()
      case .nmea: NMEAReader()
      }
  }

  func connect() {
    reader.restart()
    let socket = ClientConnection(loop: loop, names: names, host: host, port: port, trust: nil)
    self.socket = socket
    socket.open { [weak self, weak socket] event in
      guard let self, let socket, self.socket === socket else { return }
      switch event {
      case .opened: if format == .gpsd { socket.write(Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)) }
      case .bytes(let bytes): heard(bytes)
      case .drained: break
      case .failed(let reason): connection.lost(reason)
      }
    }
  }

  func disconnect() {
    socket?.close()
    socket = nil
  }

  private func heard(_ bytes: UnsafeBufferPointer<UInt8>) {
    var readings: [Positions.Reading] = []
    reader.feed(bytes, received: loop.time.now) { readings.append($0) }
    connection.heard(readings)
  }
}
