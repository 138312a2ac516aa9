import Crypto
import Glibc
import Hub
import Imaging
import Store
import Terminal
import Wire

/// A portfolio as one HTML file: the player, an index, and pictures that are decoded when they are shown. One picture
/// at a time is in memory while it is written.
///
/// Its order decides how soon one sees something: index, cover, the player's script, small pictures, large ones. The
/// browser runs the script while the rest is still being read.
struct OneFile: Sendable {
  private let hub: Hub
  private let index: OneFileIndex
  private let lock: OneFileLock?
  /// The long edge of its pictures, in pixels.
  private let edge: Int

  /// The packed file whose parts stand around what is written here (bin/pack-web).
  private static let template = "/portfolio/player/one-file.html"
  private static let separator: UInt8 = 0x1d
  private static let small = "320"
  private static let large = "2048"

  init(_ hub: Hub, _ index: OneFileIndex, passphrase: String?, edge: Int) {
    (self.hub, self.index, self.edge) = (hub, index, edge)
    lock = passphrase.map { OneFileLock($0) }
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

  /// Writes it. - Returns: its bytes.
  func write(to path: String) async throws -> Int {
    guard edge < PortfolioLimits.sizes.max() ?? 0 else { return try await write(to: path, nil) }
    do {
      return try await PictureBench(hub).use { workshop in
        try await PictureFetching(hub, workshop).waitUntilReady()
        return try await write(to: path, workshop)
      }
    } catch let error as CommandError {
      throw error
    } catch let error as StoreError {
      throw error
    } catch {
      throw CommandError(
        "--size: the program that makes pictures smaller cannot be used: \(error). eightbells doctor says more; "
          + "without --size it is not needed.")
    }
  }

  private func write(to path: String, _ workshop: PictureWorkshop?) async throws -> Int {
    guard let bytes = WebShell.bytes(ofFile: Self.template),
      case let parts = bytes.split(separator: Self.separator, omittingEmptySubsequences: false), parts.count == 5
    else { preconditionFailure("\(Self.template) was packed by another bin/pack-web") }
    let pictures = index.pictures
    let file = try DraftFile(path)
    try file.write(parts[0])
    // A locked file does not tell what is in it.
    try file.write((lock == nil ? index.title : "Portfolio").escapedForMarkup.utf8)
    try file.write(parts[1])
    try file.write(head.utf8)
    try file.write(parts[2])
    if let first = pictures.first { try await write(first, Self.large, workshop, into: file) }
    try file.write(parts[3])
    for picture in pictures { try await write(picture, Self.small, nil, into: file) }
    for (number, picture) in pictures.enumerated() {
      if number > 0 { try await write(picture, Self.large, workshop, into: file) }
      printProgress.show("Writing", number + 1, of: pictures.count)
    }
    printProgress.finish()
    try file.write(parts[4])
    return try file.finish()
  }

  /// The index, locked if the rest is. A "<" in it would end the element.
  private var head: String {
    var members: [JSON.Member] = [.init("version", 1), .init("id", .string(Portfolio.newID()))]
    if let lock {
      members.append(.init("lock", lock.json))
      members.append(.init("index", .string(Digest.base64(lock.seal(Array(index.json.text.utf8), named: "index")))))
    } else {
      members.append(.init("index", index.json))
    }
    return JSON.object(members).text.split(separator: "<", omittingEmptySubsequences: false).joined(
      separator: "\\u003c")
  }

  private func write(
    _ picture: PortfolioPicture, _ size: String, _ workshop: PictureWorkshop?, into file: DraftFile
  ) async throws {
    let name = "\(picture.address)/\(size)"
    var bytes = try await bytes(of: PortfolioPicture.blob(size, picture.address))
    if let workshop, (1...ImagingLimits.inlineBytes).contains(bytes.count) {
      let made = try await workshop.make(PictureJob(bytes: bytes, wish: .sizes([edge])), urgent: false)
      bytes = made.sizes[edge] ?? bytes
    }
    if let lock { bytes = lock.seal(bytes, named: name) }
    try file.write("<script type=\"text/plain\" id=\"file/\(name)\">".utf8)
    try file.write(Digest.base64(bytes).utf8)
    try file.write("</script>\n".utf8)
  }

  /// The bytes of a picture's file, which has some hundred kilobytes; none if it went meanwhile.
  private func bytes(of name: BlobName) async throws -> [UInt8] {
    let found = try await hub.store.blobs.content(of: name)
    switch found?.body {
    case nil: return []
    case .bytes(let bytes): return bytes
    case .file(let file):
      var bytes: [UInt8] = []
      bytes.reserveCapacity(file.size)
      while bytes.count < file.size {
        let offset = bytes.count
        let piece = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
          count = max(0, pread(file.descriptor, buffer.baseAddress, buffer.count, offset))
        }
        guard !piece.isEmpty else { throw CommandError("A picture's file cannot be read: eightbells store verify.") }
        bytes += piece
      }
      return bytes
    }
  }
}
