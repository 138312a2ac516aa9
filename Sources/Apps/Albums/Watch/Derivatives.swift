import EventLoop
import Hub
import Imaging
import Lifecycle
import Observe
import Server
import Settings
import Store
import Synchronization

/// Makes the sizes of pictures and the videos that pages play: what is to be made stands in the table, so a hub that was
/// killed goes on where it was.
final class Derivatives: Sendable {
  static let option = Setting(
    "albums_program", "FILE", fallback: "",
    help: "the program that decodes pictures; eightbells-pictures beside this program if not given")

  let workshop: PictureWorkshop
  let hub: Hub
  private let poller: Poller

  private struct Work {
    /// The keys of the pictures that are being made.
    var pictures: Set<Int> = []
    /// The picture whose video is being made; one at a time.
    var video: Int?
    var waiting = 0
    var made = 0
  }
  private let work = Mutex(Work())

  init(_ hub: Hub) {
    self.hub = hub
    poller = Poller(hub.loop)
    let program = hub.options["albums_program"]
    workshop = PictureWorkshop(program: program.isEmpty ? nil : program, loop: hub.loop, log: hub.log)
  }

  /// There is something new to be made.
  func wake() { poller.wake() }

  /// The state of the program, as pages are told.
  var stateName: String {
    switch workshop.state {
    case .starting: "starting"
    case .ready: "ready"
    case .missing: "missing"
    case .failing: "failing"
    }
  }

  var readings: [Reading] {
    [
      Reading("pictures_waiting", help: "Pictures and videos that are still to be made.") { [self] in
        Double(work.withLock { $0.waiting })
      },
      Reading("pictures_made_total", .counter, help: "Pictures and videos made since the start.") { [self] in
        Double(work.withLock { $0.made })
      },
    ]
  }

  // MARK: The queue

  func run() async throws {
    try await poller.run { [self] in
      guard isThere else { return AlbumLimits.retrySeconds }
      return try await begin()
    }
  }

  /// False while the program is missing: the table keeps what waits.
  private var isThere: Bool { if case .missing = workshop.state { false } else { true } }

  /// Begins as many as fit.
  /// - Returns: the seconds until it is worth to look again.
  private func begin() async throws -> Double? {
    let now = hub.time.now
    let busy = work.withLock { $0 }
    let (found, count, later) = try await hub.store.read { database throws(StoreError) in
      (
        try database.picturesToMake(
          limit: AlbumLimits.underWay + busy.pictures.count + 1, videos: busy.video == nil, now: now),
        try database.countToMake(), try database.nextTry(after: now)
      )
    }
    work.withLock { $0.waiting = count }
    let fresh = found.filter { !busy.pictures.contains($0.id) && $0.id != busy.video }
    let photos = fresh.filter { $0.stage < 3 }
    for picture in photos.prefix(AlbumLimits.underWay - busy.pictures.count) {
      start(picture, isAlone: photos.count == 1)
    }
    if busy.video == nil, let video = fresh.first(where: { $0.stage == 3 }) { start(video, isAlone: false) }
    return later.map { max(1, $0 - now) }
  }

  private func start(_ picture: Picture, isAlone: Bool) {
    let isVideo = picture.stage == 3
    work.withLock { if isVideo { $0.video = picture.id } else { $0.pictures.insert(picture.id) } }
    let task = hub.supervisor.once("albums.making") { [self] in
      var pause = 0.0
      do {
        pause = try await (isVideo ? makeVideo(picture) : makeSizes(picture, both: isAlone))
      } catch {
        hub.log.error("a picture could not be kept", ["error": "\(error)"])
        pause = AlbumLimits.retrySeconds
      }
      if pause > 0 { try? await hub.loop.pause(for: pause) }
      end(picture.id, isVideo: isVideo)
    }
    if task == nil { end(picture.id, isVideo: isVideo) }
  }

  private func end(_ id: Int, isVideo: Bool) {
    work.withLock { work in
      if isVideo { work.video = nil } else { work.pictures.remove(id) }
      work.made += 1
    }
    wake()
  }

  // MARK: Sizes

  /// Makes the next size of a picture.
  /// - Parameter both: true to make both at once, where nobody else waits for theirs.
  /// - Returns: the seconds for which this place rests.
  private func makeSizes(_ picture: Picture, both: Bool) async throws -> Double {
    guard let content = try await hub.store.blobs.content(of: picture.original) else { return 0 }
    let isFirst = picture.stage == 1
    let wanted = isFirst ? (both ? AlbumLimits.sizes : [AlbumLimits.sizes[0]]) : [AlbumLimits.sizes[1]]
    let made: MadePicture
    do throws(PictureError) {
      made = try await workshop.make(
        Self.job(content, .sizes(wanted), name: picture.name), urgent: isFirst)
    } catch {
      return try await failed(picture, error)
    }
    withExtendedLifetime(content) {}
    var blobs: [(Picture.Files, String, Blob)] = []
    for (edge, file) in zip(AlbumLimits.sizes, [Picture.Files.small, .large]) {
      guard let bytes = made.sizes[edge] else { continue }
      blobs.append((file, "\(edge)", try await blob(bytes)))
    }
    let kept = blobs
    let done = Picture.Files(isFirst ? (both ? [.small, .large] : [.small]) : [.large])
    try await hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.take(made, of: picture.id, kept, instead: done, in: change)
    }
    return 0
  }

  private static func job(_ content: BlobContent, _ wish: PictureJob.Wish, name: String?) -> PictureJob {
    switch content.body {
    case .bytes(let bytes): PictureJob(bytes: bytes, wish: wish, name: name)
    case .file(let file): PictureJob(source: file.descriptor, wish: wish, name: name)
    }
  }

  private func blob(_ bytes: [UInt8]) async throws(StoreError) -> Blob {
    let upload = hub.store.blobs.upload(limit: bytes.count)
    try await upload.append(bytes)
    return try await upload.finish()
  }

  // MARK: Videos

  private func makeVideo(_ picture: Picture) async throws -> Double {
    guard let content = try await hub.store.blobs.content(of: picture.original) else { return 0 }
    let target = try ScratchFile(in: hub.dataFolder)
    let source = try ScratchFile.descriptor(of: content, in: hub.dataFolder)
    do throws(PictureError) {
      try await workshop.video(source.descriptor, into: target.descriptor)
    } catch {
      return try await failed(picture, error)
    }
    withExtendedLifetime((content, source)) {}
    let upload = hub.store.blobs.upload(limit: ImagingLimits.videoFileBytes)
    var offset = 0
    while case let piece = try target.read(from: offset), !piece.isEmpty {
      try await upload.append(piece)
      offset += piece.count
    }
    guard offset > 0 else {
      await upload.cancel()
      return try await failed(picture, .notAPicture("an empty video"))
    }
    let kept = try await upload.finish()
    try await hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.take(nil, of: picture.id, [(.video, "video", kept)], instead: [.video], in: change)
    }
    return 0
  }

  // MARK: Failures

  /// - Returns: the seconds for which this place rests.
  private func failed(_ picture: Picture, _ error: PictureError) async throws -> Double {
    let reason: String?
    switch error {
    case .notAPicture: reason = "not-a-picture"
    case .tooLarge: reason = "too-large"
    case .tookTooLong: reason = "took-too-long"
    // A program may die of one picture: it is tried a few times, later each time.
    case .helperFailed: reason = nil
    case .notInstalled: return AlbumLimits.retrySeconds
    case .full: return 1
    }
    if Task.isCancelled { return 0 }
    hub.log.info("a picture could not be made", ["error": "\(error)", "stage": "\(picture.stage)"])
    try await hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.failed(picture.id, because: reason, in: change)
    }
    return 0
  }
}
