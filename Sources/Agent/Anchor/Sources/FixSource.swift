import Positions

/// A place where positions come from: it is connected, again and again. Confined to its loop.
protocol FixSource: AnyObject {
  /// For people, such as "gpsd at localhost".
  var name: String { get }
  var connection: Reconnection { get }
  /// Connects; `Reconnection.lost` tells that it failed, or is over, and why.
  func connect()
  func disconnect()
}

extension FixSource {
  /// Begins, and goes on until `close`, whatever breaks meanwhile.
  func open(_ take: @escaping (Positions.Reading) -> Void) { connection.begin(self, take) }
  func close() { connection.end() }
}
