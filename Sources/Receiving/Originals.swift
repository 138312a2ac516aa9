public import Hub
public import Server
public import Store
import Wire

extension Hub {
  /// A file as somebody has sent it, for a browser to keep and not to show: from the hub, or from the object store
  /// (`redirect`). To be called when the caller's right has been checked.
  /// - Parameters:
  ///   - type: by its first bytes; a kind that is not known is sent as plain bytes.
  ///   - name: a file's name, as for `attachment`.
  ///   - isForScript: true if a page's script fetches it, whose policy lets it follow to no other server: the hub
  ///     answers itself.
  /// - Returns: nil if there is no such blob.
  public func original(
    _ request: Request, _ blob: BlobName, type: String?, named name: String, etag: String, isForScript: Bool = false
  ) async throws(HTTPError) -> Response? {
    let known = FileKind.ending(ofType: type).isEmpty ? nil : type
    let (type, attachment) = (known ?? FileKind.unknown.type, Response.Field.attachment(name))
    if !isForScript, let answer = try await redirect(request, to: blob, type: type, attachment) { return answer }
    guard let content = try await content(of: blob) else { return nil }
    return Response(
      contentType: type, body: Response.Body(content), etag: etag, cacheControl: "private, no-cache",
      fields: [
        Response.Field("Accept-Ranges", "bytes"), attachment,
        // Should a browser show it all the same, nothing in it runs.
        Response.Field("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
      ])
  }
}

extension Response.Field {
  /// Has a browser keep the answer as a file (RFC 6266). The first name is for old programs.
  /// - Parameter name: a file's name, without slashes and control characters.
  public static func attachment(_ name: String) -> Response.Field {
    let plain = String(decoding: name.utf8.map { $0 < 127 && $0 != 34 && $0 != 37 ? $0 : 95 }, as: UTF8.self)
    return Response.Field(
      "Content-Disposition", "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(percentEncoded(name))")
  }
}
