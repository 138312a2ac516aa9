import EventLoop
import Hub
import Imaging
import Lifecycle
import Observe
import Receiving
import Server
import Settings
import Store
import Synchronization

/// Makes the sizes of pictures and the videos that pages play. The table says what is to be made, so a hub that was
/// killed goes on where it was.
final class Derivatives: Sendable {
  static let option = Setting(
    "albums_program", "FILE", fallback: "",
    help: "the program that decodes pictures; eightbells-pictures beside this program if not given")

  let workshop: PictureWorkshop
  private let reader = ScratchReader()
  let hub: Hub
  private let poller: Poller
  private let tell: @Sendable () -> Void

  private struct Work {
    /// The keys of the pictures that are being made.
    var pictures: Set<Int> = []
    /// Those of them that are videos: finding a picture in one takes seconds.
    var looks: Set<Int> = []
    /// The picture whose video or sound is being made; one at a time. After the seconds of its turn others come first
    /// on whom less time was spent.
    var film: (picture: Picture, since: Double, turn: Double)?
    /// The next turns of videos that gave way: twice as long each time, so that all come to their end.
    var longer: [Int: Double] = [:]
    var turns = Turns()
    var waiting = 0
    var made = 0
  }
  private let work = Mutex(Work())

  /// - Parameter tell: called when something was made.
  init(_ hub: Hub, _ tell: @escaping @Sendable () -> Void = {}) {
    (self.hub, self.tell) = (hub, tell)
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
    // The program may have been killed, as where memory was short, which tells nothing about a picture.
    // Finding them takes a look at every picture, for which no other change should wait.
    let givenUp = try await hub.store.read { database throws(StoreError) in try database.givenUp() }
    if !givenUp.isEmpty {
      try await hub.commit(as: .room(AlbumsRoom.id)) { change in
        for picture in givenUp { try change.database.tryAgain(picture) }
      }
    }
    try await poller.run { [self] in
      guard isThere else {
        guard workshop.state == .starting else { return AlbumLimits.retrySeconds }
        if try await hub.store.read({ database throws(StoreError) in try database.countToMake() }) > 0 {
          workshop.prepare()
        }
        return 1
      }
      return try await begin()
    }
  }

  /// False while the program is missing or does not start: the table keeps what waits.
  private var isThere: Bool { if case .ready = workshop.state { true } else { false } }

  /// False where there are no videos.
  private var converts: Bool { if case .ready(_, .some) = workshop.state { false } else { true } }

  /// Begins as many as fit.
  /// - Returns: the seconds until it is worth to look again.
  private func begin() async throws -> Double? {
    let (now, uptime) = (hub.time.now, hub.time.uptime)
    let (busy, converts) = (work.withLock { $0 }, converts)
    var spent = busy.turns
    if let film = busy.film { spent.note(uptime - film.since, on: film.picture) }
    let turns = spent
    let looks = converts ? AlbumLimits.looksUnderWay + busy.looks.count : 0
    let (found, count, later) = try await hub.store.read { database throws(StoreError) in
      (
        try database.picturesToMake(
          limit: AlbumLimits.underWay + busy.pictures.count + 1, looks: looks, videos: converts, turns: turns,
          now: now),
        try database.countToMake(), try database.nextTry(after: now)
      )
    }
    work.withLock { work in
      work.waiting = count
      // With nobody waiting all begin anew.
      if found.isEmpty, busy.pictures.isEmpty, busy.film == nil { (work.turns, work.longer) = (Turns(), [:]) }
    }
    let fresh = found.filter { !busy.pictures.contains($0.id) && $0.id != busy.film?.picture.id }
    let photos = fresh.filter { $0.stage < 3 && !$0.isSentVideo }
    for picture in photos.prefix(AlbumLimits.underWay - busy.pictures.count + busy.looks.count) {
      start(picture, isAlone: photos.count == 1)
    }
    for video in fresh.filter({ $0.stage < 3 && $0.isSentVideo }).prefix(AlbumLimits.looksUnderWay - busy.looks.count) {
      start(video, isAlone: false)
    }
    if let next = fresh.first(where: { $0.stage >= 3 }) {
      if let film = busy.film {
        if next.guest != film.picture.guest, uptime - film.since >= film.turn { giveWay(film.picture) }
      } else {
        start(next, isAlone: false)
      }
    }
    let isConverting = work.withLock { $0.film != nil }
    return [later.map { max(1, $0 - now) }, isConverting ? AlbumLimits.filmLookSeconds : nil].compactMap { $0 }.min()
  }

  /// Ends the video that is being made, which is put off, for one of somebody else.
  private func giveWay(_ picture: Picture) {
    work.withLock { work in
      work.film?.turn *= 2
      work.longer[picture.id] = work.film?.turn
    }
    workshop.giveWay()
  }

  private func start(_ picture: Picture, isAlone: Bool) {
    let (isVideo, now) = (picture.stage >= 3, hub.time.uptime)
    work.withLock { work in
      work.turns.begin(picture)
      if isVideo {
        work.film = (picture, now, work.longer[picture.id] ?? AlbumLimits.filmSeconds)
      } else {
        work.pictures.insert(picture.id)
      }
      if !isVideo, picture.isSentVideo { work.looks.insert(picture.id) }
    }
    let task = hub.supervisor.once("albums.making") { [self] in
      do {
        try await make(picture, both: isAlone)
      } catch {
        hub.log.error("a picture could not be kept", ["error": "\(error)"])
        // The store gives or takes nothing: others would fare no better.
        try? await hub.loop.pause(for: AlbumLimits.retrySeconds)
      }
      end(picture, since: now)
    }
    if task == nil { end(picture, since: now) }
  }

  private func end(_ picture: Picture, since: Double) {
    let spent = hub.time.uptime - since
    work.withLock { work in
      if picture.stage >= 3 { work.film = nil } else { work.pictures.remove(picture.id) }
      work.looks.remove(picture.id)
      work.turns.note(spent, on: picture)
      work.made += 1
    }
    wake()
    tell()
  }

  /// Makes what comes next of a picture, or notes that it did not go well.
  /// - Parameter both: true to make both sizes at once.
  /// - Throws: errors of the store, which are no try of the picture.
  func make(_ picture: Picture, both: Bool) async throws {
    var sound: BlobDigest?
    do {
      switch picture.stage {
      case 1, 2: try await makeSizes(picture, both: both)
      case 4:
        let sent = try await content(Picture.blob(Picture.sentSound, picture.address))
        sound = sent.digest
        try await convert(picture, .sound, from: sent)
      default: try await convert(picture, .video, from: try await content(picture.original))
      }
    } catch let error as PictureError {
      try await failed(picture, error, sound)
    } catch {
      guard !Self.isOfStore(error) else { throw error }
      try await failed(picture, .helperFailed("\(error)"), sound)
    }
  }

  /// True for an error of the hub's data, such as an object store that is away: it tells nothing about a picture.
  private static func isOfStore(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError: error.isOfPlace
    case let error as HTTPError: error.code == .diskFull || error.code == .blobsAway || error.code == .databaseAway
    default: false
    }
  }

  /// The original, or the sound as it was sent.
  private func content(_ name: BlobName) async throws -> BlobContent {
    guard let content = try await hub.store.blobs.content(of: name) else {
      throw PictureError.helperFailed("what it is to be made of is not there")
    }
    return content
  }

  // MARK: Sizes

  /// Makes the next size of a picture.
  /// - Parameter both: true to make both at once, where nobody else waits for theirs.
  private func makeSizes(_ picture: Picture, both: Bool) async throws {
    let content = try await content(picture.original)
    let isFirst = picture.stage == 1
    let wanted = isFirst ? (both ? AlbumLimits.sizes : [AlbumLimits.sizes[0]]) : [AlbumLimits.sizes[1]]
    let made = try await workshop.make(Self.job(content, .sizes(wanted), name: picture.name), urgent: isFirst)
    withExtendedLifetime(content) {}
    var blobs: [(Picture.Files, String, Blob)] = []
    for (edge, file) in zip(AlbumLimits.sizes, [Picture.Files.small, .large]) {
      guard let bytes = made.sizes[edge] else { continue }
      blobs.append((file, "\(edge)", try await hub.store.blobs.keep(bytes)))
    }
    let kept = blobs
    let done = Picture.Files(isFirst ? (both ? [.small, .large] : [.small]) : [.large])
    try await hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.take(made, of: picture.id, kept, instead: done, in: change)
    }
  }

  private static func job(_ content: BlobContent, _ wish: PictureJob.Wish, name: String?) -> PictureJob {
    switch content.body {
    case .bytes(let bytes): PictureJob(bytes: bytes, wish: wish, name: name)
    case .file(let file): PictureJob(source: file.descriptor, wish: wish, name: name)
    }
  }

  // MARK: Videos and sounds

  /// Makes the video, or the sound, that pages play: nothing in it tells of its origin.
  private func convert(_ picture: Picture, _ file: Picture.Files, from content: BlobContent) async throws {
    let isSound = file == .sound
    let target = try ScratchFile(in: hub.dataFolder)
    let source = try ScratchFile.descriptor(of: content, in: hub.dataFolder)
    var seconds: Double?
    if isSound {
      try await workshop.sound(source.descriptor, into: target.descriptor)
    } else {
      seconds = try await workshop.video(source.descriptor, into: target.descriptor)
    }
    withExtendedLifetime((content, source)) {}
    let upload = hub.store.blobs.upload(limit: isSound ? UploadLimits.soundBytes : ImagingLimits.videoFileBytes)
    var offset = 0
    while case let piece = try await reader.read(target, from: offset), !piece.isEmpty {
      try await upload.append(piece)
      offset += piece.count
    }
    guard offset > 0 else {
      await upload.cancel()
      throw PictureError.notAPicture("nothing came of it")
    }
    let (kept, length, sound) = (try await upload.finish(), seconds, isSound ? content.digest : nil)
    try await hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.take(
        nil, of: picture.id, [(file, isSound ? "sound" : "video", kept)], instead: file, seconds: length,
        from: sound, in: change)
    }
  }

  // MARK: Failures

  /// - Parameter sound: the digest of the sound that was to be written anew; nil for anything else.
  private func failed(_ picture: Picture, _ error: PictureError, _ sound: BlobDigest?) async throws {
    if Task.isCancelled { return }
    let reason: String?
    switch error {
    case .notAPicture: reason = "not-a-picture"
    case .tooLarge: reason = "too-large"
    case .tookTooLong: reason = "took-too-long"
    // A film cannot be written to a full disk, and no later start of the hub would try it anew.
    case .helperFailed where picture.stage >= 3 && DiskShare.free(hub) == 0:
      return try await putOff(picture, AlbumLimits.absentSeconds)
    // A program may die of one picture: it is tried a few times, later each time.
    case .helperFailed: reason = nil
    // A program that is missing tells nothing about a picture, so it is no try; others take its place.
    case .notInstalled: return try await putOff(picture, AlbumLimits.absentSeconds)
    case .notRunning: return try await putOff(picture, AlbumLimits.retrySeconds)
    case .full: return try await putOff(picture, 1)
    }
    let album = try await hub.store.read { database throws(StoreError) in try database.album(picture.album)?.address }
    let fields: KeyValuePairs<StaticString, String> = [
      "error": "\(error)", "album": album ?? "", "picture": picture.address, "stage": "\(picture.stage)",
    ]
    if reason == nil {
      hub.log.warning("a picture could not be made", fields)
    } else {
      hub.log.info("a picture could not be made", fields)
    }
    try await hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.failed(picture.id, because: reason, at: picture.stage, from: sound, in: change)
    }
  }

  private func putOff(_ picture: Picture, _ seconds: Double) async throws {
    try await hub.commit(as: .room(AlbumsRoom.id)) { change in
      try change.database.putOff(picture.id, until: change.now + seconds)
    }
  }
}

extension ScratchFile {
  /// A descriptor of a blob's content; one that is kept within the database is written to a file first.
  fileprivate static func descriptor(of content: BlobContent, in folder: String) throws(Failure) -> ScratchFile {
    switch content.body {
    case .file(let file): return try ScratchFile(copying: file.descriptor)
    case .bytes(let bytes):
      let file = try ScratchFile(in: folder)
      try file.write(bytes, at: 0)
      return file
    }
  }
}
