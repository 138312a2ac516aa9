public import Server

/// Errors of the HTTP API. Pusher's libraries look at the status alone.
extension ErrorCode {
  public static let unusableEvent = Self(40060)
  public static let attributeNotThere = Self(40061)
  public static let wrongSignature = Self(40160)
  public static let appDisabled = Self(40360)
  public static let appOverQuota = Self(40361)
  public static let unknownApp = Self(40464)
  public static let eventTooLarge = Self(41360)

  /// All codes of the HTTP API.
  public static let ofPusher: [ErrorCode] = [
    .unusableEvent, .attributeNotThere, .wrongSignature, .appDisabled, .appOverQuota, .unknownApp, .eventTooLarge,
  ]
}
