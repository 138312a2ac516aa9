import Client
import Hub
import Lifecycle
import Settings

/// Gets tiles: from the disk while they are fresh, else from their servers, a few at a time, and never one that nobody
/// asked for. A server that cannot be reached leaves what there was.
actor TileFetcher {
  /// The servers' addresses, to which /ZOOM/COLUMN/ROW.png is added.
  static let servers = Setting(
    "anchor_tiles", "MAP,SEA", fallback: "public",
    help: "the servers of the chart's tiles and of its seamarks; public for OpenStreetMap and OpenSeaMap, none for no "
      + "chart"
  ) { value throws(SettingsError) in
    guard value == "none" || addresses(value) != nil else {
      throw SettingsError(
        "anchor_tiles: \"\(value)\"; two addresses with a comma between them, public, or none are accepted.")
    }
  }

  private let hub: Hub
  private let bases: [Tile.Layer: String]
  private var folder: TileFolder?
  private var running = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var underWay: [Tile: Task<Void, Never>] = [:]

  init(_ hub: Hub) {
    self.hub = hub
    let found = Self.addresses(hub.options["anchor_tiles"]) ?? []
    bases = found.isEmpty ? [:] : [.map: found[0], .sea: found[1]]
  }

  private static func addresses(_ value: String) -> [String]? {
    if value == "public" { return ["https://tile.openstreetmap.org", "https://tiles.openseamap.org/seamark"] }
    let parts = value.split(separator: ",").map(String.init)
    guard parts.count == 2, parts.allSatisfy({ $0.hasPrefix("https://") || $0.hasPrefix("http://") }) else {
      return nil
    }
    return parts.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
  }

  /// A tile's PNG; nil if it cannot be had.
  func tile(_ tile: Tile) async -> [UInt8]? {
    guard let base = bases[tile.layer] else { return nil }
    if folder == nil { folder = TileFolder("\(hub.dataFolder)/eightbells.tiles") }
    let now = hub.time.now
    let kept = folder?.read(tile, now: now)
    if let kept, abs(now - kept.fetched) < TileLimits.fresh { return kept.bytes }
    if underWay[tile] == nil, waiting.count < TileLimits.waiting {
      underWay[tile] = hub.supervisor.once("anchor.tiles") { [self] in await fetch(tile, base) }
    }
    guard let fetching = underWay[tile] else { return kept?.bytes }
    await fetching.value
    return folder?.read(tile, now: now)?.bytes
  }

  /// Brings a tile into the folder, if its server has it.
  private func fetch(_ tile: Tile, _ base: String) async {
    if running < TileLimits.atOnce {
      running += 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
    defer {
      if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
      underWay[tile] = nil
    }
    let request = FetchRequest(
      "\(base)/\(tile.zoom)/\(tile.column)/\(tile.row).png", timeout: TileLimits.seconds,
      stallTimeout: TileLimits.stallSeconds, bodyLimit: TileLimits.tileBytes)
    // A sea without marks has no tile there, which is an answer, too.
    guard let response = try? await hub.client.fetch(request) else { return }
    if response.status == 404, tile.layer == .sea {
      folder?.keep(tile, Self.nothing, now: hub.time.now)
    } else if response.status == 200, response.body.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      folder?.keep(tile, response.body, now: hub.time.now)
    }
  }

  /// A picture of one pixel that is not there.
  static let nothing: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1F, 0x15, 0xC4, 0x89, 0x00, 0x00, 0x00, 0x0B, 0x49,
    0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x60, 0x00, 0x02, 0x00, 0x00, 0x05, 0x00, 0x01, 0xE9, 0xFA, 0xDC, 0xD8, 0x00,
    0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]
}
