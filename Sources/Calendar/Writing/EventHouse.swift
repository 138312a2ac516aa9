/// The house in which events take place that name a room or nothing.
public struct EventHouse: Sendable {
  public var name: String
  /// In one or several lines.
  public var address: String?
  public var place: GeographicPlace?

  public init(name: String, address: String?, place: GeographicPlace?) {
    self.name = name
    self.address = address
    self.place = place
  }

  /// In one line, for people and maps: "Hackerspace Nordlicht, Am Speicher 8, Bremen".
  var text: String {
    ([name] + (address ?? "").split(whereSeparator: \.isNewline).map(String.init)).joined(separator: ", ")
  }

  /// True for an address on the web or of a house, as opposed to the name of a room: the rule of /map.js.
  static func isElsewhere(_ location: String) -> Bool {
    if location.hasPrefix("https://") || location.hasPrefix("http://") { return true }
    guard location.contains(where: \.isNumber) else { return false }
    return location.contains(",") || location.contains("\n")
      || location.split(whereSeparator: { !$0.isNumber }).contains { (4...5).contains($0.count) }
  }
}
