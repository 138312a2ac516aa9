public import Server
public import Store
import Wire

extension Hub {
  /// The path at which iPhones look for the icon of the home screen, since they ignore the manifest's.
  static let touchIcon = "/apple-touch-icon.png"

  /// Serves that icon: the owner's if it is suitable, or else the default.
  func addTouchIcon(to router: inout Router) {
    let ours = WebShell.answer(Self.touchIcon)
    router.on(
      .get, Self.touchIcon,
      .task { [self] request throws(HTTPError) in
        guard let icon = await appearance.icon, icon.type == "image/png", let blob = icon.blob else {
          return ours(request)
        }
        guard let content = try await content(of: blob) else { return ours(request) }
        return Response(
          contentType: icon.type, body: Response.Body(content), etag: String(content.digest.hex.prefix(16)))
      })
  }
}

extension Response.Body {
  /// A response with a blob's content; a large one is sent from its file.
  public init(_ content: BlobContent) {
    switch content.body {
    case .bytes(let bytes): self = .bytes(bytes)
    case .file(let file): self = .file(OpenFile(file.descriptor, size: file.size, ownedBy: file), 0..<file.size)
    }
  }
}
