/// A square of a chart.
struct Tile: Hashable, Sendable {
  /// The chart itself, or the seamarks that lie on it.
  enum Layer: String, CaseIterable, Sendable {
    case map, sea

    /// The closest zoom that its server has.
    var closest: Int { self == .map ? 19 : 18 }
  }

  let layer: Layer
  let zoom, column, row: Int

  /// Nil for what is no square of that chart.
  init?(layer: String, zoom: String, column: String, row: String) {
    guard let layer = Layer(rawValue: layer), let zoom = Int(zoom), (0...layer.closest).contains(zoom),
      let column = Int(column), let row = Int(row), (0..<(1 << zoom)).contains(column), (0..<(1 << zoom)).contains(row)
    else { return nil }
    (self.layer, self.zoom, self.column, self.row) = (layer, zoom, column, row)
  }

  /// Its file's name.
  var name: String { "\(layer.rawValue)-\(zoom)-\(column)-\(row)" }

  init?(name: String) {
    let parts = name.split(separator: "-").map(String.init)
    guard parts.count == 4 else { return nil }
    self.init(layer: parts[0], zoom: parts[1], column: parts[2], row: parts[3])
  }
}

/// The limits of the store of tiles.
enum TileLimits {
  /// Bytes on the disk, and of one tile: a night's anchorage has some hundred tiles of 20 KB.
  static let bytes = 96 << 20
  static let tileBytes = 512 << 10
  /// Seconds for which a tile is shown without asking again; the servers wish for a week at least.
  static let fresh = 7 * 86_400.0
  /// Tiles that are fetched at once, as the servers' rules allow, and that wait for it.
  static let atOnce = 2
  static let waiting = 200
  /// Seconds for one.
  static let seconds = 20.0
  static let stallSeconds = 8.0
}
