import Hub
import Receiving
import Server
import Store

/// The files of a picture, as they are sent to whoever may have them.
extension PortfolioPicture {
  /// - Parameter name: one of `fileNames`, or `originalName`.
  /// - Throws: 404 if the picture has no such file.
  func response(_ name: String, _ request: Request, _ hub: Hub) async throws(HTTPError) -> Response {
    let isThere = name == Self.originalName ? original != nil : files.contains { $0.name == name }
    let blob = Self.blob(name, address)
    guard isThere else { throw HTTPError.noSuchPortfolioFile }
    if let original, name == Self.originalName,
      let answer = try await hub.redirect(
        request, to: blob, type: original.servedType, original.attachment(address))
    {
      return answer
    }
    guard
      let content = try await hub.stored({ () throws(StoreError) in try await hub.store.blobs.content(of: blob) })
    else { throw HTTPError.noSuchPortfolioFile }
    if let original, name == Self.originalName { return Self.response(original, content, address) }
    // Another version has another address.
    let isCurrent = request.query["v"] == tag
    return Response(
      contentType: name == "video" ? "video/mp4" : "image/jpeg", body: Response.Body(content),
      etag: "\(tag)-\(name)",
      cacheControl: isCurrent ? "private, max-age=31536000, immutable" : "private, no-cache",
      fields: [Response.Field("Accept-Ranges", "bytes")])
  }

  private static func response(_ original: Original, _ content: BlobContent, _ address: String) -> Response {
    Response(
      contentType: original.servedType, body: Response.Body(content),
      etag: "\(address)-original", cacheControl: "private, no-cache",
      fields: [
        Response.Field("Accept-Ranges", "bytes"),
        original.attachment(address),
        // Should a browser show it all the same, nothing in it runs.
        Response.Field("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
      ])
  }
}

extension PortfolioPicture.Original {
  /// The type that is sent: the picture's own if it is a known one, else that of plain bytes.
  fileprivate var servedType: String { FileKind.ending(ofType: type).isEmpty ? FileKind.unknown.type : type }

  /// - Parameter address: the picture's, for one that came without a name.
  fileprivate func attachment(_ address: String) -> Response.Field {
    .attachment(name.isEmpty ? "\(address)\(FileKind.ending(ofType: type))" : name)
  }
}
