/// What a person or a program may do. Anyone without a token reads what is public.
public enum Role: String, CaseIterable, Sendable {
  /// Everything, settings included.
  case owner
  /// Turns the sign.
  case keykeeper
  /// Belongs to the club.
  case member
  /// Reads what is not public; for programs.
  case reader
  /// A program at the door or in the room: reports what it sees, and nothing else.
  case sensor
}

/// Who is behind a request.
public struct Principal: Equatable, Sendable {
  /// The token's key in the store.
  public var token: Int
  /// The token's name, such as "door phone".
  public var name: String
  public var role: Role
}
