enum KettleLimits {
  /// Bytes of a body that chooses the tea. Far more than its name needs: a route that takes more than 64 KB asks who is
  /// calling before it reads anything, and that is to be tried with this room.
  static let teaBytes = 8 << 20
}
