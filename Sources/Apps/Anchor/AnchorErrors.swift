import Server

/// This room's errors.
extension ErrorCode {
  static let noAnchorDown = Self(40450)
  static let noSuchAnchorage = Self(40451)
  static let noSuchPhone = Self(40452)
  static let anchorIsDown = Self(40950)
  static let noFreshPosition = Self(40951)
  static let weighingNotMeant = Self(40952)
  static let tooManyPhones = Self(40953)
  static let noSuchTile = Self(40459)
  static let tileNotFetched = Self(50359)

  /// All codes of the room.
  static let ofAnchor: [ErrorCode] = [
    .noAnchorDown, .noSuchAnchorage, .noSuchPhone, .noSuchTile, .anchorIsDown, .noFreshPosition, .weighingNotMeant,
    .tooManyPhones, .tileNotFetched,
  ]
}

extension HTTPError {
  static let noAnchorDown = HTTPError(
    .noAnchorDown, "No anchor is down.", help: "Drop it first: POST /api/v1/anchor/drop.")
}
