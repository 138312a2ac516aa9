import Hub

/// The names of the room's live channel and of its events.
enum ProgrammeChannel {
  /// Space's channel: both were one room, and existing clients listen there for both.
  static let channel = Channel("space")
  /// The programme has changed; fetch it.
  static let programme = "programme"
  /// The openers of an event have changed; the data names them.
  static let openers = "openers"
  /// An event has another album or none any more, or its album has changed; the data names the event.
  static let album = "event-album"
  /// On a person's own channel: their favourites have changed; fetch them.
  static let favourites = "favourites"
}
