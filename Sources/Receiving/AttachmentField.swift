public import Server
import Wire

extension Response.Field {
  /// Has a browser keep the answer as a file (RFC 6266). The first name is for old programs.
  /// - Parameter name: a file's name, without slashes and control characters.
  public static func attachment(_ name: String) -> Response.Field {
    let plain = String(decoding: name.utf8.map { $0 < 127 && $0 != 34 && $0 != 37 ? $0 : 95 }, as: UTF8.self)
    return Response.Field(
      "Content-Disposition", "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(percentEncoded(name))")
  }
}
