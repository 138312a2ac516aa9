import Glibc
import Hub
import Pictures
import Store

/// How the space looks: its logo, where it can be an icon.
struct SpaceAppearance: Sendable {
  let hub: Hub
  let board: Board

  /// A drawing fits any size. Of pictures only a PNG is taken, which all systems know, and only one that is square and
  /// large enough: others would be cut off or blurred.
  func icon() async -> Appearance.Icon? {
    guard let logo = board.pictures.first(where: { $0.name == .logo }) else { return nil }
    switch logo.type {
    case .svg: return Appearance.Icon(address: logo.address, type: logo.type.rawValue, sizes: "any")
    case .png:
      guard let side = await pngSide(), side >= SpaceLimits.iconPixels else { return nil }
      return Appearance.Icon(
        address: logo.address, type: logo.type.rawValue, sizes: "\(side)x\(side)", blob: PictureRoutes.blobName(.logo))
    default: return nil
    }
  }

  /// The pixels of a square PNG's side, as its header tells them; nil for another shape.
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
