public import Wire

/// The moments that a session is told, and the effects that it asks for.
extension DeviceSession {
  /// The clocks at which something happened.
  public struct Moment: Equatable, Sendable {
    /// Seconds since 1970, and of uptime.
    public var now: Double
    public var uptime: Double
    public init(now: Double, uptime: Double) {
      self.now = now
      self.uptime = uptime
    }
  }

  public enum Effect: Equatable, Sendable {
    case connect
    case send(JSON)
    /// Ends the connection; nothing is heard of it any more.
    case disconnect(CloseCode)
    /// Writes into the record, before what follows is done.
    case record([DeviceRecord.Entry], sync: Bool)
    /// Changes what comes next before it is shown; then `prepared` is to be called.
    case prepare(Showing)
    /// Takes a message to the device itself; then `taken` is to be called.
    case take(Showing)
    /// Shows something; then `shown` or `notShown` is to be called, and `finished` once the next may come.
    case present(Showing)
    /// Ends what is being prepared or shown: it was answered elsewhere or taken back.
    case stop(id: String)
    case tell(News)
    /// Nothing more is done.
    case end(EndReason)
  }

  /// News for people and programs around the device.
  public enum News: Equatable, Sendable {
    case connected(device: String, name: String)
    case disconnected(String, retryIn: Double)
    case responded(DeviceResponse)
    /// The action that counts, perhaps another device's.
    case taken(id: String, action: String)
    case failed(id: String, reason: String)
    case dropped(DeviceResponse)
    case heartbeat(seconds: Double)
    /// A message, or an answer to the notification with that id, that is of no use.
    case ignored(String, id: String? = nil)
  }

  public enum EndReason: Equatable, Sendable {
    /// Another connection with the same secret has taken this one's place.
    case replaced
    case removed
    case unknownSecret
  }
}
