/// The names of the room's live channel and of what is told there.
enum ProgrammeChannel {
  /// That of Space: both were one room, and whoever listens there keeps hearing of both.
  static let name = "space"
  /// The programme has changed; fetch it.
  static let programme = "programme"
  /// Who opens for an event has changed; the data says who it is now.
  static let openers = "openers"
  /// On a person's own channel: their favourites have changed; fetch them.
  static let favourites = "favourites"
}
