import Glibc
import Lifecycle

/// The tiles on the disk: files in a folder beside the database, of which those that nobody looked at for longest make
/// room. They can be fetched again, so they are in no backup, and nothing waits until they are safe on the disk.
struct TileFolder {
  /// A tile's bytes, its last use and when it was fetched, in seconds since 1970.
  private struct Kept {
    var bytes: Int
    var used: Double
    var fetched: Double
  }

  private let path: String
  private var kept: [Tile: Kept] = [:]
  private var bytes = 0

  /// Finds what is there; a folder that cannot be made keeps nothing.
  init(_ path: String) {
    self.path = path
    mkdir(path, 0o700)
    for name in namesInFolder(path) ?? [] {
      var status = stat()
      guard let tile = Tile(name: name), stat("\(path)/\(name)", &status) == 0 else { continue }
      let fetched = Double(status.st_mtim.tv_sec)
      kept[tile] = Kept(bytes: Int(status.st_size), used: fetched, fetched: fetched)
      bytes += Int(status.st_size)
    }
  }

  /// A tile's bytes, and when they were fetched; nil if it is not there.
  mutating func read(_ tile: Tile, now: Double) -> (bytes: [UInt8], fetched: Double)? {
    guard let found = kept[tile] else { return nil }
    kept[tile]?.used = now
    let file = open(file(tile), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      forget(tile)
      return nil
    }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: found.bytes)
    guard Glibc.read(file, &bytes, bytes.count) == bytes.count else {
      forget(tile)
      return nil
    }
    return (bytes, found.fetched)
  }

  /// Keeps a tile; others make room. A full disk keeps nothing.
  mutating func keep(_ tile: Tile, _ content: [UInt8], now: Double) {
    forget(tile)
    while bytes + content.count > TileLimits.bytes, let oldest = kept.min(by: { $0.value.used < $1.value.used }) {
      forget(oldest.key)
    }
    let draft = "\(path)/draft"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let written = write(file, content, content.count)
    close(file)
    guard written == content.count, rename(draft, self.file(tile)) == 0 else {
      unlink(draft)
      return
    }
    kept[tile] = Kept(bytes: content.count, used: now, fetched: now)
    bytes += content.count
  }

  private mutating func forget(_ tile: Tile) {
    guard let gone = kept.removeValue(forKey: tile) else { return }
    bytes -= gone.bytes
    unlink(file(tile))
  }

  private func file(_ tile: Tile) -> String { "\(path)/\(tile.name)" }
}
