/// Security header fields of every response, added here so that no route can forget them.
extension Response {
  /// Browsers do not guess types.
  static let typeOptions = Field("X-Content-Type-Options", "nosniff")

  /// For responses without a policy of their own: browsers do not send our addresses to other sites.
  static let referrerPolicy = Field("Referrer-Policy", "same-origin")

  /// For responses with a content policy of their own, among which are all pages: they do not get the features of a
  /// device that we do not use.
  static let permissions = Field(
    "Permissions-Policy", "camera=(self), geolocation=(self), microphone=(self), payment=(), usb=()")

  /// For responses without a policy of their own: should one be shown as a page, nothing in it runs or is fetched, and
  /// no site can frame it.
  static let contentPolicy = Field("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")

  /// True if the response has a field of this name itself.
  func has(_ field: Field) -> Bool { fields.contains { $0.name == field.name } }
}
