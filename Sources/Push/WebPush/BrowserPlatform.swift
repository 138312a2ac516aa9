/// The kind of system that a browser runs on, by what it says of itself: that decides how it can be rung. An iPad that
/// claims to be a Mac counts as one.
public enum BrowserPlatform: String, Sendable {
  case iPhone = "iphone"
  case android
  case desktop

  /// - Parameter userAgent: the request's field; nil gives nil.
  public init?(userAgent: String?) {
    guard let userAgent else { return nil }
    if ["iPhone", "iPad", "iPod"].contains(where: userAgent.contains) {
      self = .iPhone
    } else {
      self = userAgent.contains("Android") ? .android : .desktop
    }
  }
}
