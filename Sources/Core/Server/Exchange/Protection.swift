/// What every answer tells browsers, so that no route can forget it.
extension Response {
  /// Types are not guessed; addresses are not told to other sites; and what we do not use of a device, nobody uses in
  /// our name.
  static let protection = [
    Field("X-Content-Type-Options", "nosniff"),
    Field("Referrer-Policy", "same-origin"),
    Field("Permissions-Policy", "camera=(), geolocation=(self), microphone=(), payment=(), usb=()"),
  ]

  /// Of an answer that says nothing of it itself: should it ever be shown as a page, nothing in it runs or is fetched,
  /// and no site puts it into a frame.
  static let contentPolicy = Field("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")

  var hasContentPolicy: Bool { fields.contains { $0.name == Self.contentPolicy.name } }
}
