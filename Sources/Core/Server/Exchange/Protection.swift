/// Security header fields of every response, added here so that no route can forget them.
extension Response {
  /// Browsers do not guess types, and do not send our addresses to other sites.
  static let protection = [
    Field("X-Content-Type-Options", "nosniff"),
    Field("Referrer-Policy", "same-origin"),
  ]

  /// For responses with a content policy of their own, among which are all pages: they do not get the features of a
  /// device that we do not use.
  static let permissions = Field(
    "Permissions-Policy", "camera=(self), geolocation=(self), microphone=(self), payment=(), usb=()")

  /// For responses without a policy of their own: should one be shown as a page, nothing in it runs or is fetched, and
  /// no site can frame it.
  static let contentPolicy = Field("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")

  var hasContentPolicy: Bool { fields.contains { $0.name == Self.contentPolicy.name } }
}
