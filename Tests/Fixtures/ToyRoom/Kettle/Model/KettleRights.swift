import Hub
import Server

extension Right {
  /// Puts the kettle on.
  static let putKettleOn = Right("kettle.put-on", of: Set(Role.ofPeople), "puts the kettle on")
}

extension ErrorCode {
  static let kettleIsHot = Self(40999)
}
