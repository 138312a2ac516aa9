/// The media types of files, by the endings of their names.
enum FileType {
  /// The part of a name behind its last full stop, in small letters; nil without one.
  static func ending(of name: String) -> String? {
    guard let stop = name.lastIndex(of: ".") else { return nil }
    return name[name.index(after: stop)...].lowercased()
  }

  /// The type of a file: by its ending; where that says nothing, the one that the client names.
  /// - Returns: nil for a page, whatever its name is.
  static func type(of name: String, named given: String?) -> String? {
    if let known = ending(of: name).flatMap({ endings[$0] }) { return known }
    let given = (given ?? "").split(separator: ";").first.map { $0.lowercased() } ?? ""
    let plain = given.filter { !$0.isWhitespace }
    guard !["text/html", "application/xhtml+xml", "multipart/related"].contains(plain) else { return nil }
    return isType(plain) ? plain : "application/octet-stream"
  }

  /// The type as which a file is served. A script is text: at the hub's own address it would be one that the policy of
  /// the hub's pages lets run, by any of the names that browsers know (WHATWG MIME Sniffing section 4.6).
  static func served(_ type: String) -> String {
    let isScript = ["javascript", "ecmascript", "jscript", "livescript"].contains { type.contains($0) }
    return isScript ? "text/plain" : type
  }

  /// RFC 9110 section 8.3.1, without parameters.
  private static func isType(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && text.utf8.count <= 100
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy {
            (48...57).contains($0) || (97...122).contains($0) || "!#$&^_.+-".utf8.contains($0)
          }
      }
  }

  private static let endings = [
    "txt": "text/plain", "csv": "text/csv", "md": "text/markdown", "css": "text/css", "js": "text/javascript",
    "json": "application/json", "xml": "application/xml", "pdf": "application/pdf", "zip": "application/zip",
    "gz": "application/gzip", "wasm": "application/wasm", "png": "image/png", "jpg": "image/jpeg",
    "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "heic": "image/heic",
    "svg": "image/svg+xml", "bmp": "image/bmp", "ico": "image/vnd.microsoft.icon", "mp3": "audio/mpeg",
    "m4a": "audio/mp4", "aac": "audio/aac", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
    "wav": "audio/wav", "flac": "audio/flac", "weba": "audio/webm", "mp4": "video/mp4", "m4v": "video/mp4",
    "mov": "video/quicktime", "webm": "video/webm", "ogv": "video/ogg", "gpx": "application/gpx+xml",
    "geojson": "application/geo+json", "ics": "text/calendar", "woff2": "font/woff2",
  ]
}
