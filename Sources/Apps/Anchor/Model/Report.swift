import AnchorWatch

/// A sign of life of a device, with the positions since the last one.
struct Report: Sendable {
  var kind: Source.Kind
  /// Unique among the sources of the kind.
  var name: String
  /// The device that is rung, and the person whose it is, where the hub knows them.
  var device: Int?
  var person: Int?
  /// Seconds that are promised until the next one; nil to leave it.
  var interval: Double?
  var battery: Double?
  var isCharging: Bool?
  /// The state of the device's own watch.
  var state: String?
  /// False if its own receivers do not agree where it is.
  var agrees: Bool?
  /// False if it keeps nothing of its watch on its disk.
  var keeps: Bool?
  /// The time that the device's clock shows, if it says so.
  var at: Double?
  /// The instruments that it is told; nil for a device that does not say.
  var tells: [String]?
  /// Both by the device's clock.
  var fixes: [Fix] = []
  var events: [TrackEvent] = []
}
