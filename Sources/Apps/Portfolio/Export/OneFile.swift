import Crypto
import Glibc
import Hub
import Imaging
import Store
import Wire

/// A portfolio as one HTML file: the player, an index, and pictures that are decoded when they are shown. One picture
/// at a time is in memory while it is written.
///
/// Its order decides how soon one sees something: index, cover, the player's script, small pictures, large ones. The
/// browser runs the script while the rest is still being read.
struct OneFile: Sendable {
  private let hub: Hub
  private let index: OneFileIndex
  private let passphrase: String?
  /// The long edge of its pictures, in pixels.
  private let edge: Int

  /// The packed file whose parts stand around what is written here (bin/pack-web).
  private static let template = "/portfolio/player/one-file.html"
  private static let separator: UInt8 = 0x1d
  private static let small = "320"
  private static let large = "2048"

  init(_ hub: Hub, _ index: OneFileIndex, passphrase: String?, edge: Int) {
    (self.hub, self.index, self.passphrase, self.edge) = (hub, index, passphrase, edge)
  }

  /// Bytes of a file with pictures of this long edge; smaller ones can only be guessed.
  static func estimate(_ index: OneFileIndex, edge: Int) -> Int {
    // Fewer pixels have a little more detail each.
    let share = pow(Double(edge) / Double(PortfolioLimits.sizes.max() ?? edge), 1.7)
    return index.pictures.reduce(0) { sum, picture in
      picture.files.reduce(sum) { sum, file in
        switch file.name {
        case small: sum + file.bytes * 4 / 3
        case large: sum + Int(Double(file.bytes) * share) * 4 / 3
        default: sum
        }
      }
    }
  }

  /// Writes it, piece by piece, in order.
  func write(_ write: ([UInt8]) async throws -> Void) async throws {
    guard edge < PortfolioLimits.sizes.max() ?? 0 else { return try await self.write(nil, write) }
    try await PictureBench(hub).use { workshop in
      try await PictureFetching(hub, workshop).waitUntilReady()
      try await self.write(workshop, write)
    }
  }

  private func write(_ workshop: PictureWorkshop?, _ write: ([UInt8]) async throws -> Void) async throws {
    guard let bytes = WebShell.bytes(ofFile: Self.template),
      case let parts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false), parts.count == 5
    else { preconditionFailure("\(Self.template) was packed by another bin/pack-web") }
    let encoder = await OneFileEncoder(hub.store.blobs, passphrase: passphrase)
    func put(_ picture: PortfolioPicture, _ size: String, edge: Int?) async throws {
      var bytes = try await encoder.bytes(of: picture, size)
      if let edge, let workshop, (1...ImagingLimits.inlineBytes).contains(bytes.count) {
        let made = try await workshop.make(PictureJob(bytes: bytes, wish: .sizes([edge])), urgent: false)
        bytes = made.sizes[edge] ?? bytes
      }
      try await write(await encoder.element(of: picture, size, bytes))
    }
    let pictures = index.pictures
    try await write(Array(parts[0]))
    // A locked file does not tell what is in it.
    try await write(Array((encoder.lock == nil ? index.title : "Portfolio").escapedForMarkup.utf8))
    try await write(Array(parts[1]))
    try await write(Array(head(encoder.lock).utf8))
    try await write(Array(parts[2]))
    if let first = pictures.first { try await put(first, Self.large, edge: edge) }
    try await write(Array(parts[3]))
    for picture in pictures { try await put(picture, Self.small, edge: nil) }
    for picture in pictures.dropFirst() { try await put(picture, Self.large, edge: edge) }
    try await write(Array(parts[4]))
  }

  /// The index, locked if the rest is. A "<" in it would end the element.
  private func head(_ lock: OneFileLock?) -> String {
    var members: [JSON.Member] = [.init("version", 1), .init("id", .string(RandomID.make()))]
    if let lock {
      members.append(.init("lock", lock.json))
      members.append(.init("index", .string(Digest.base64(lock.seal(Array(index.json.text.utf8), named: "index")))))
    } else {
      members.append(.init("index", index.json))
    }
    return JSON.object(members).text.split(separator: "<", omittingEmptySubsequences: false).joined(
      separator: "\\u003c")
  }
}
