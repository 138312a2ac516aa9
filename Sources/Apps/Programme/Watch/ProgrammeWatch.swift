import Calendar
import CivilTime
import Crypto
import EventLoop
import Hub
import Lifecycle
import Observe
import Realtime
import Server
import Store
import Synchronization
import Wire

/// The programme: watches the calendars of the settings, keeps their last good copies, and tells what is on.
///
/// It has a thread of its own, since reading and expanding a large calendar takes a while.
actor ProgrammeWatch {
  private nonisolated let worker = WorkerThread(name: "programme")
  nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

  let hub: Hub
  /// Those who ask over HTTP stand in line here.
  nonisolated let questions: QuestionLine<ProgrammeWatch>
  private let reader: CalendarReader
  private(set) var zone = Zone.utc
  private(set) var sources: [WatchedCalendar] = []
  /// The addresses that are being looked at: not a second time at once, and not even if the settings change meanwhile.
  private(set) var underWay: Set<String> = []
  /// The addresses that somebody wants looked at now.
  var wanted: Set<String> = []
  private let poller: Poller
  private nonisolated let listed = Mutex<[CalendarSource]>([])
  /// Calendars whose settings or owner asked for them while they were being fetched: they are fetched once more.
  private var refreshAgain: Set<String> = []
  private var answers: [AnswerKey: Result<Answer, TooMuch>] = [:]
  private var keptBytes = 0
  /// The last change that the programme knows of.
  private var commit = 0
  /// Ready feeds by their names, each for a day in the space.
  var feeds: [String: (day: Int, feed: Result<Feed, NoFeed>)] = [:]

  private struct AnswerKey: Hashable {
    var from: CivilDate
    var to: CivilDate
  }
  /// A ready answer, as nearly all want it: events compress to a tenth and less, and the few who do not take that can
  /// wait for it to be undone.
  struct Answer: Sendable {
    var compressed: [UInt8]
    /// Bytes before they were compressed.
    var plainCount: Int
    var etag: String
    /// The last change that it knows of.
    var commit: Int

    var packed: PackedBytes { PackedBytes(compressed, count: plainCount) }
    var plain: [UInt8] {
      let bytes = compressed.withUnsafeBufferPointer { Gzip.decompress($0, count: plainCount) }
      guard let bytes else { preconditionFailure("an answer was compressed wrongly") }
      return bytes
    }
  }
  /// More events, or longer ones, than one answer takes.
  struct TooMuch: Error {}

  init(_ hub: Hub) {
    self.hub = hub
    questions = QuestionLine(
      "programme", limit: ProgrammeLimits.questions, share: ProgrammeLimits.questionsOfOne, hub.metrics, hub.supervisor)
    reader = CalendarReader(hub)
    poller = Poller(hub.loop)
  }

  /// Has something done on the programme's thread, behind what it was given before: changes are taken in their order.
  nonisolated func enqueue(_ work: @escaping @Sendable (isolated ProgrammeWatch) -> Void) {
    worker.execute { self.assumeIsolated(work) }
  }

  /// Returns once all is done that was enqueued before.
  func finished() {}

  // MARK: What is watched

  /// The calendars that the owner has listed.
  nonisolated var calendars: [CalendarSource] { listed.withLock { $0 } }

  /// From this change on, watches these calendars.
  nonisolated func watch(_ calendars: [CalendarSource], _ kept: [KeptCalendar], in change: Change) {
    let number = change.number
    change.then { [self] in watch(calendars, kept, commit: number) }
  }

  nonisolated func watch(_ calendars: [CalendarSource], _ kept: [KeptCalendar], commit: Int) {
    listed.withLock { $0 = calendars }
    let zone = hub.place.zone
    enqueue { $0.configure(calendars, zone: zone, kept: kept, commit: commit) }
  }

  /// Where the place has another zone from this change on, all that calendars say of local times is read anew.
  nonisolated func placeChanged(to place: Place, in change: Change) throws {
    guard place.zone.name != hub.place.zone.name else { return }
    watch(try change.database.calendarSources(), try change.database.keptCalendars(), in: change)
  }

  /// Takes calendars, and looks at all of them; known ones keep their copies.
  private func configure(_ calendars: [CalendarSource], zone: Zone, kept: [KeptCalendar], commit: Int) {
    self.commit = commit
    self.zone = zone
    let known = Dictionary(kept.map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
    let schedules = Dictionary(sources.map { ($0.kept.url, $0) }, uniquingKeysWith: { first, _ in first })
    sources = calendars.map { calendar in
      var source = WatchedCalendar(calendar, known[calendar.address] ?? KeptCalendar(url: calendar.address))
      if let before = schedules[calendar.address] { source.takeOver(before) }
      // The zone may have changed, and with it what floating times mean.
      if let body = source.kept.body { source.calendar = try? parseCalendar(body, of: calendar, zone: zone) }
      if source.calendar == nil {
        // A copy that an earlier version understood and this one does not: it is asked for anew, so that "unchanged"
        // cannot pass for good.
        source.kept.etag = nil
        source.kept.lastModified = nil
      }
      source.kept.body = nil
      return source
    }
    forgetAnswers()
    feeds.removeAll()
    // Parsing a large calendar leaves as much behind as it keeps.
    releaseFreeMemory()
    look(at: sources.map(\.kept.url))
  }

  /// Looks at each calendar when its time comes, or somebody asks for it, until the task is cancelled.
  nonisolated func run() async throws {
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        let (urls, pause) = await next()
        for url in urls { group.addTask { await self.refresh(url) } }
        try await poller.wait(atMost: pause)
      }
    }
  }

  /// Those to be looked at now, and the seconds until the next one is due.
  private func next() -> (urls: Set<String>, pause: Double?) {
    let now = hub.time.uptime
    wanted.formUnion(sources.filter { $0.schedule.isDue(at: now) && !isLooking(at: $0) }.map(\.kept.url))
    let urls = wanted.subtracting(underWay)
    refreshAgain.formUnion(wanted.intersection(underWay))
    underWay.formUnion(urls)
    wanted = []
    // Those that are looked at come again when they have been.
    let next = sources.filter { !isLooking(at: $0) }.map(\.schedule.due).min()
    return (urls, next.map { max(0, $0 - now) })
  }

  /// Looks at these now, whatever their turn would be.
  func look(at urls: [String]) {
    wanted.formUnion(urls)
    poller.wake()
  }

  func isLooking(at source: WatchedCalendar) -> Bool {
    underWay.contains(source.kept.url) || wanted.contains(source.kept.url)
  }

  private func refresh(_ url: String) async {
    repeat {
      refreshAgain.remove(url)
      await look(at: url)
    } while refreshAgain.contains(url) && !Task.isCancelled
    underWay.remove(url)
    poller.wake()
  }

  private func look(at url: String) async {
    guard let before = sources.first(where: { $0.kept.url == url }) else { return }
    let reading = await reader.read(before.settings, before.kept, name: before.calendar?.name) {
      await self.keptBody(of: url)
    }
    // The settings may have changed meanwhile.
    guard let index = sources.firstIndex(where: { $0.kept.url == url }) else { return }
    let old = sources[index].kept
    let hasNewBody = take(reading, at: index)
    let kept = sources[index].kept
    sources[index].kept.body = nil
    if kept == old { return }
    forgetAnswers()
    if hasNewBody {
      feeds.removeAll()
      releaseFreeMemory()
    }
    let isNews = hasNewBody || kept.problem != old.problem
    do throws(HTTPError) {
      try await hub.commit(as: .room(ProgrammeRoom.id)) { [self] change in
        try change.database.save(calendar: kept, withBody: hasNewBody)
        guard isNews else { return }
        let number = change.number
        change.then { self.enqueue { $0.commit = number } }
        change.publish(ProgrammeChannel.programme, on: ProgrammeChannel.name, [:])
      }
    } catch {
      // It is true all the same, and the next look tries again to keep it.
      if isNews { hub.channels.publish(ProgrammeChannel.programme, on: ProgrammeChannel.name, [:]) }
    }
  }

  /// The copy that a source needs to go on from. Without it, everything is asked for anew.
  func keptBody(of url: String) async -> [UInt8]? {
    do throws(StoreError) {
      return try await hub.store.read { database throws(StoreError) in try database.calendarBody(url) }
    } catch {
      hub.log.error("a calendar's copy could not be read", ["error": error.description])
      return nil
    }
  }

  /// - Returns: whether there is a new copy. A broken one is never taken: the last good one stays.
  private func take(_ reading: CalendarReading, at index: Int) -> Bool {
    var failure: LookFailure?
    var hasNewBody = false
    switch reading {
    case .unchanged(let etag): sources[index].kept.etag = etag
    case .failed(let reason): failure = reason
    case .new(let body, let etag, let lastModified):
      do throws(CalendarError) {
        sources[index].calendar = try parseCalendar(body, of: sources[index].settings, zone: zone)
        let digest = Digest.sha256(body)
        hasNewBody = digest != sources[index].kept.digest
        if hasNewBody { noteWarnings(of: sources[index]) }
        sources[index].kept.digest = digest
        sources[index].kept.body = hasNewBody ? body : nil
        sources[index].kept.etag = etag
        sources[index].kept.lastModified = lastModified
        sources[index].byteCount = body.count
      } catch {
        failure = LookFailure(error.reason)
      }
    }
    if let failure {
      hub.log.warning(
        "a calendar could not be read", ["calendar": sources[index].kept.label, "reason": failure.full.text])
    }
    sources[index].note(failure, at: hub.time, chance: Double.random(in: 0..<1))
    return hasNewBody
  }

  /// Puts a copy that is in the store already, or none, in the place of the one there is.
  func replace(at index: Int, with body: [UInt8]?, commit: Int) {
    self.commit = commit
    sources[index].kept = KeptCalendar(url: sources[index].kept.url)
    sources[index].calendar = nil
    if let body {
      _ = take(.new(body, etag: nil, lastModified: nil), at: index)
      sources[index].kept.body = nil
    }
    forgetAnswers()
    feeds.removeAll()
    releaseFreeMemory()
  }

  /// What was left out of a new copy, for the owner to mend.
  private func noteWarnings(of source: WatchedCalendar) {
    for warning in source.calendar?.warnings ?? [] {
      hub.log.warning("part of a calendar was left out", ["calendar": source.kept.label, "reason": warning])
    }
  }

  // MARK: What is on

  /// The events that touch the days from `from` up to but not including `to`, in the space's zone.
  /// - Throws: when they are too much for one answer.
  func events(from: CivilDate, to: CivilDate) throws(TooMuch) -> Answer {
    let key = AnswerKey(from: from, to: to)
    var answer = try (answers[key] ?? make(key)).get()
    answer.commit = commit
    return answer
  }

  private func make(_ key: AnswerKey) -> Result<Answer, TooMuch> {
    let answer = render(key)
    keep(answer, for: key)
    // Writing a large answer leaves many times its size behind.
    if ((try? answer.get().plainCount) ?? 0) > ProgrammeLimits.largeAnswerBytes { releaseFreeMemory() }
    return answer
  }

  private func render(_ key: AnswerKey) -> Result<Answer, TooMuch> {
    let (from, to) = (key.from, key.to)
    let start = zone.instant(of: WallTime(date: from, secondOfDay: 0))
    let end = zone.instant(of: WallTime(date: to, secondOfDay: 0))
    let found = expandFairly(
      sources.map { ($0.id, $0.calendar) }, from: start, to: end, occurrences: ProgrammeLimits.events,
      bytes: ProgrammeLimits.answerBytes, bytesOfEach: ProgrammeLimits.eventBytes)
    guard let found else { return .failure(TooMuch()) }
    let statuses = zip(sources, found).map { source, found in
      SourceStatus(
        calendar: source.id, name: source.name, color: source.settings.color, asOf: source.kept.goodAt,
        problem: source.kept.problem, since: source.kept.problemSince,
        warnings: (source.calendar?.warnings ?? []) + found.warnings)
    }
    var occurrences = found.flatMap(\.occurrences)
    occurrences.sort { one, other in
      // Identifiers are put together when they are asked for.
      if one.start != other.start { return one.start < other.start }
      return one.title == other.title ? one.id < other.id : one.title < other.title
    }
    let json = EventsAnswer.bytes(occurrences, sources: statuses, zone: zone)
    return .success(
      Answer(
        compressed: Gzip.compress(json), plainCount: json.count, etag: Response.etag(of: json), commit: commit))
  }

  /// Pages ask for the same few days again and again; whoever asks for others does not fill the memory with them.
  private func keep(_ answer: Result<Answer, TooMuch>, for key: AnswerKey) {
    // A refusal is kept as well: it has cost as much.
    let count = (try? answer.get().compressed.count) ?? 100
    if keptBytes + count > ProgrammeLimits.keptBytes { forgetAnswers() }
    answers[key] = answer
    keptBytes += count
  }

  private func forgetAnswers() {
    answers = [:]
    keptBytes = 0
  }
}
