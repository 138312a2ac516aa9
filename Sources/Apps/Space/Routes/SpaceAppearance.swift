import Glibc
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
    let name = PictureRoutes.blobName(.logo)
    let content: BlobContent?
    do throws(StoreError) {
      content = try await hub.store.blobs.content(of: name)
    } catch {
      return nil
    }
    let head: [UInt8]
    switch content?.body {
    case .bytes(let bytes): head = Array(bytes.prefix(pngHeadBytes))
    case .file(let file):
      head = [UInt8](unsafeUninitializedCapacity: pngHeadBytes) { buffer, count in
        count = max(0, pread(file.descriptor, buffer.baseAddress, pngHeadBytes, 0))
      }
    case nil: return nil
    }
    guard let (width, height) = pngSize(head), width == height else { return nil }
    return width
  }
}
