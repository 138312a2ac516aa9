/// The names of the room's live channel and of what is told there.
enum SpaceChannel {
  static let name = "space"
  /// The sign was turned; the data is the sign.
  static let state = "state"
  /// A sensor has spoken; the data is what it says.
  static let sensor = "sensor"
  /// Another space says something new, or another one is followed; fetch them.
  static let followed = "followed"
  /// The settings have changed; fetch them.
  static let settings = "settings"
}
