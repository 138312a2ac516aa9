import Hub
import Pictures
import Store

/// The space's appearance: its logo, if it can be an icon.
struct SpaceAppearance: Sendable {
  let hub: Hub
  let board: Board

  /// The logo as an icon. An SVG fits any size. Of other pictures only a PNG is used, which all systems support, if it
  /// is square and large enough: others would be cropped or blurred.
  func icon() async -> Appearance.Icon? {
    guard let logo = board.pictures.first(where: { $0.name == .logo }), logo.isClean else { return nil }
    switch logo.type {
    case .svg: return Appearance.Icon(address: logo.address, type: logo.type.rawValue, sizes: "any")
    case .png:
      guard let side = await pngSide(), side >= SpaceLimits.iconPixels else { return nil }
      return Appearance.Icon(
        address: logo.address, type: logo.type.rawValue, sizes: "\(side)x\(side)", blob: PictureRoutes.blobName(.logo))
    default: return nil
    }
  }

  /// The side of a square PNG in pixels, from its header; nil for another shape.
  private func pngSide() async -> Int? {
    let content = try? await hub.store.blobs.content(of: PictureRoutes.blobName(.logo))
    guard let content, let (width, height) = pngSize(content.piece(from: 0, atMost: pngHeadBytes)), width == height
    else { return nil }
    return width
  }
}
