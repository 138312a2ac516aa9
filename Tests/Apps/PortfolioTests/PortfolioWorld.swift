import Galleries
import Hub
import HubWorld
import Imaging
import Lifecycle
import Server
import Store
import Testing
import World

@testable import Portfolio

/// A hub with the room of portfolios, in virtual time, with the real store; files are made without a program.
struct PortfolioWorld {
  let test: TestHub
  var hub: Hub { test.hub }
  let source: ScriptedSource

  static let start = 1_795_200_000.0

  init(_ source: ScriptedSource = ScriptedSource([]), bucket: (any BlobBucket)? = nil) async throws {
    test = try await TestHub(time: VirtualTime(Self.start), rooms: [PortfolioRoom.self], bucket: bucket)
    try await test.openRooms()
    self.source = source
  }

  /// A portfolio of a person, who is made if there is none; nil: of the owners.
  func make(person: Int? = nil) async throws -> Portfolio {
    try await hub.commit(as: .commandLine) { change in
      if let person {
        try change.database.run(
          "INSERT OR IGNORE INTO people (id, name, role, created_at) VALUES (?, ?, 'member', 0)", .int(person),
          .text("Person \(person)"))
      }
      return try PortfolioChange.make(
        PortfolioChange.Wish(source: SourceName(.folder, "/nowhere"), name: "Work", person: person), in: change)
    }
  }

  func sync(_ portfolio: Portfolio) async throws -> SyncRun.Outcome {
    let source = source
    let run = SyncRun(
      hub, { _ throws(SourceFault) in source }, ScriptedPictures(hub: hub), portfolio.id)
    return try await run.run()
  }

  /// Syncs to the end. - Returns: its report.
  func looked(_ portfolio: Portfolio) async throws -> SyncReport {
    let outcome = try await sync(portfolio)
    guard case .done(let report) = outcome else {
      Issue.record("no end: \(outcome)")
      return SyncReport()
    }
    return report
  }

  /// The same, and once more if something is missing. - Returns: the report of both.
  func synced(_ portfolio: Portfolio) async throws -> SyncReport {
    var report = try await looked(portfolio)
    let next = try await stored(portfolio)?.nextAt ?? 0
    guard next == hub.time.now + PortfolioLimits.againSeconds else { return report }
    let second = try await looked(portfolio)
    (report.gone, report.missing, report.photos) = (report.gone + second.gone, second.missing, second.photos)
    return report
  }

  /// The pictures of each gallery, by its id in the source.
  func shown(_ portfolio: Portfolio) async throws -> [String: [String]] {
    try await hub.store.read { database throws(StoreError) in
      var shown: [String: [String]] = [:]
      for gallery in try database.galleries(of: portfolio.id) {
        shown[gallery.sourceID] = try database.portfolioPictures(in: gallery.id, after: 0, limit: 1_000)
          .map(\.source.id).sorted()
      }
      return shown
    }
  }

  func number(_ sql: String) async throws -> Int {
    try await hub.store.read { database throws(StoreError) in try database.first(sql) { $0.int(0) } ?? 0 }
  }

  func stored(_ portfolio: Portfolio) async throws -> Portfolio? {
    try await hub.store.read { database throws(StoreError) in try database.portfolio(key: portfolio.id) }
  }

  /// Ids of pictures: "a1", "a2", …
  static func names(_ prefix: String, _ count: Int) -> [String] { (0..<count).map { "\(prefix)\($0 + 1)" } }
}

/// Makes sizes without a program: each is the file itself.
struct ScriptedPictures: PictureMaking {
  let hub: Hub

  actor File: PictureFile {
    nonisolated let limit = 1_000
    private(set) var bytes: [UInt8] = []

    func append(_ more: [UInt8]) { bytes += more }
  }

  func waitUntilReady() async throws {}

  func fetch(_ picture: PortfolioPicture, from source: any GallerySource) async throws -> PictureFetching.Result {
    let file = File()
    try await source.fetch(picture.source, into: file)
    let bytes = await file.bytes
    var made = MadePicture()
    (made.kind, made.width, made.height) = (.photo, 300, 200)
    var blobs: [(name: String, blob: Blob)] = []
    for edge in PortfolioLimits.sizes {
      let upload = hub.store.blobs.upload(limit: bytes.count)
      try await upload.append(bytes)
      blobs.append(("\(edge)", try await upload.finish()))
    }
    return .made(SyncChange.Made(digest: bytes, picture: made, blobs: blobs))
  }
}
