import Hub

/// The names of the room's live channel and of its events.
enum SpaceChannel {
  static let channel = Channel("space")
  /// The sign was turned; the data is the sign.
  static let state = "state"
  /// A sensor has reported; the data is its report.
  static let sensor = "sensor"
  /// Another space has changed, or another one is followed; fetch them.
  static let followed = "followed"
  /// The settings have changed; fetch them.
  static let settings = "settings"
}
