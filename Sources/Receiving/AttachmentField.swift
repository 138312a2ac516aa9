public import Server

extension Response.Field {
  /// Has a browser keep the answer as a file (RFC 6266). The first name is for old programs.
  /// - Parameter name: a file's name, without slashes and control characters.
  public static func attachment(_ name: String) -> Response.Field {
    let plain = String(decoding: name.utf8.map { $0 < 127 && $0 != 34 && $0 != 37 ? $0 : 95 }, as: UTF8.self)
    let escaped = name.utf8.map { byte -> String in
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "-._~".utf8.contains(byte)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return Response.Field(
      "Content-Disposition", "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(escaped.joined())")
  }
}
