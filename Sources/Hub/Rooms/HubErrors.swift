public import Server

/// Errors of people, devices and the hub's own pages.
extension ErrorCode {
  public static let passkeyRefused = Self(40035)
  public static let noPasskeysHere = Self(40036)
  public static let noToken = Self(40101)
  public static let unknownToken = Self(40102)
  public static let unknownPasskey = Self(40135)
  public static let passkeyNotProven = Self(40136)
  public static let foreignSender = Self(40320)
  public static let noPerson = Self(40321)
  public static let channelNotAllowed = Self(40375)
  public static let notSetUp = Self(40402)
  public static let noSuchLink = Self(40420)
  public static let noSuchDevice = Self(40421)
  public static let noSuchPerson = Self(40422)
  public static let noSuchToken = Self(40423)
  public static let noSuchPasskey = Self(40435)
  public static let lastOwner = Self(40920)
  public static let keyUsedOtherwise = Self(40922)
  public static let passkeyThere = Self(40935)
  public static let tooManyPasskeys = Self(40936)
  public static let linkUsed = Self(41020)
  public static let linkEnded = Self(41021)
  public static let tooManyFailures = Self(42920)
  public static let unhealthy = Self(50302)
  public static let blobsAway = Self(50303)
  public static let databaseAway = Self(50304)

  /// All codes of the hub.
  public static let ofHub: [ErrorCode] = [
    .passkeyRefused, .noPasskeysHere, .noToken, .unknownToken, .unknownPasskey, .passkeyNotProven, .foreignSender,
    .noPerson, .channelNotAllowed, .notSetUp, .noSuchLink, .noSuchDevice, .noSuchPerson, .noSuchToken,
    .noSuchPasskey, .lastOwner, .keyUsedOtherwise, .passkeyThere, .tooManyPasskeys, .linkUsed, .linkEnded,
    .tooManyFailures,
    .unhealthy, .blobsAway, .databaseAway,
  ]
}
