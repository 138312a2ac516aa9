import CivilTime
import Hub
import Lifecycle
import Observe
import Realtime
import Server
import Store
import Wire

/// The programme: watches the calendars of the settings, keeps their last good copies, and tells what is on.
///
/// It has a thread of its own, since reading and expanding a large calendar takes a while.
actor Programme {
  private nonisolated let worker = WorkerThread(name: "programme")
  nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

  private let hub: Hub
  private let reader: CalendarReader
  private var zone = Zone.utc
  private var sources: [Source] = []
  private var answers: [AnswerKey: Answer] = [:]
  private var keptBytes = 0

  private struct Source {
    let id: String
    var kept: KeptCalendar
    var calendar: ParsedCalendar?
    var isBeingRead = false
  }
  private struct AnswerKey: Hashable {
    var from: CivilDate
    var to: CivilDate
  }
  /// A ready answer.
  struct Answer: Sendable {
    var bytes: [UInt8]
    var compressed: [UInt8]
    var etag: String

    var count: Int { bytes.count + compressed.count }
  }
  struct TooManyEvents: Error {
    var count: Int
  }

  init(_ hub: Hub) {
    self.hub = hub
    reader = CalendarReader(client: hub.client, folders: [hub.dataFolder] + hub.readableFolders)
  }

  // MARK: What is watched

  /// Takes the calendars of new settings; known ones keep their copies.
  func configure(_ settings: SpaceSettings, zone: Zone) async throws(StoreError) {
    self.zone = zone
    let kept = try await hub.store.read { database throws(StoreError) in try database.keptCalendars() }
    let urls = settings.calendars.map(\.url)
    try await hub.store.write { database throws(StoreError) in try database.forgetCalendars(except: urls) }
    let known = Dictionary(kept.map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
    sources = urls.map { url in
      var source = Source(id: Self.id(of: url), kept: known[url] ?? KeptCalendar(url: url))
      // The zone may have changed, and with it what floating times mean.
      if let body = source.kept.body { source.calendar = try? parseCalendar(body, zone: zone) }
      if source.calendar == nil {
        // A copy that an earlier version understood and this one does not: it is asked for anew, so that "unchanged"
        // cannot pass for good.
        source.kept.etag = nil
        source.kept.lastModified = nil
      }
      return source
    }
    forgetAnswers()
  }

  /// Looks at every calendar once.
  func refresh() async {
    await withTaskGroup { group in
      for url in sources.map(\.kept.url) { group.addTask { await self.refresh(url) } }
    }
  }

  private func refresh(_ url: String) async {
    guard let before = sources.firstIndex(where: { $0.kept.url == url }), !sources[before].isBeingRead else { return }
    sources[before].isBeingRead = true
    let reading = await reader.read(sources[before].kept)
    // The settings may have changed meanwhile.
    guard let index = sources.firstIndex(where: { $0.kept.url == url }) else { return }
    sources[index].isBeingRead = false
    let old = sources[index].kept
    let hasNewBody = take(reading, at: index)
    let kept = sources[index].kept
    if kept == old { return }
    forgetAnswers()
    do throws(StoreError) {
      try await hub.store.write { database throws(StoreError) in
        try database.save(calendar: kept, withBody: hasNewBody)
      }
    } catch {
      hub.log.error("a calendar's copy could not be kept", ["error": error.description])
    }
    if hasNewBody || kept.problem != old.problem {
      hub.channels.publish(SpaceChannel.programme, on: SpaceChannel.name, [:])
    }
  }

  /// - Returns: whether there is a new copy. A broken one is never taken: the last good one stays.
  private func take(_ reading: CalendarReading, at index: Int) -> Bool {
    let now = Int(hub.time.now)
    var problem: String?
    var hasNewBody = false
    switch reading {
    case .unchanged: break
    case .failed(let reason): problem = reason
    case .new(let body, let etag, let lastModified):
      do throws(CalendarError) {
        sources[index].calendar = try parseCalendar(body, zone: zone)
        hasNewBody = body != sources[index].kept.body
        sources[index].kept.body = body
        sources[index].kept.etag = etag
        sources[index].kept.lastModified = lastModified
      } catch {
        problem = error.description
      }
    }
    if let problem {
      if sources[index].kept.problem == nil { sources[index].kept.problemSince = now }
      hub.log.warning("a calendar could not be read", ["calendar": sources[index].id, "reason": problem])
    } else {
      sources[index].kept.goodAt = now
      sources[index].kept.problemSince = nil
    }
    sources[index].kept.problem = problem
    return hasNewBody
  }

  /// A short name for a calendar that does not give its address away.
  static func id(of url: String) -> String { Digest.hex(Digest.sha256(url.utf8).prefix(4)) }

  // MARK: What is on

  /// The events that touch the days from `from` up to but not including `to`, in the space's zone.
  /// - Throws: when they are too many for one answer.
  func events(from: CivilDate, to: CivilDate) throws(TooManyEvents) -> Answer {
    let key = AnswerKey(from: from, to: to)
    if let answer = answers[key] { return answer }
    let start = zone.instant(of: WallTime(date: from, secondOfDay: 0))
    let end = zone.instant(of: WallTime(date: to, secondOfDay: 0))
    var occurrences: [Occurrence] = []
    var statuses: [SourceStatus] = []
    for source in sources {
      var warnings = source.calendar?.warnings ?? []
      if let calendar = source.calendar {
        let found = expand(calendar, calendarID: source.id, from: start, to: end)
        occurrences += found.occurrences
        warnings += found.warnings
      }
      statuses.append(
        SourceStatus(
          calendar: source.id, name: source.calendar?.name, asOf: source.kept.goodAt, problem: source.kept.problem,
          since: source.kept.problemSince, warnings: warnings))
    }
    guard occurrences.count <= SpaceLimits.events else { throw TooManyEvents(count: occurrences.count) }
    occurrences.sort { ($0.start, $0.title, $0.id) < ($1.start, $1.title, $1.id) }
    let bytes = EventsAnswer.json(occurrences, sources: statuses, zone: zone).bytes
    let answer = Answer(bytes: bytes, compressed: Gzip.compress(bytes), etag: Response.etag(of: bytes))
    keep(answer, for: key)
    return answer
  }

  /// Pages ask for the same few days again and again; whoever asks for others does not fill the memory with them.
  private func keep(_ answer: Answer, for key: AnswerKey) {
    if keptBytes + answer.count > SpaceLimits.keptBytes { forgetAnswers() }
    guard answer.count <= SpaceLimits.keptBytes else { return }
    answers[key] = answer
    keptBytes += answer.count
  }

  private func forgetAnswers() {
    answers = [:]
    keptBytes = 0
  }

  func event(id: String) -> Occurrence? {
    for source in sources {
      if let calendar = source.calendar, let found = occurrence(id: id, in: calendar, calendarID: source.id) {
        return found
      }
    }
    return nil
  }

  var timeZone: Zone { zone }
}

/// The names of the room's live channel and of what is told there.
enum SpaceChannel {
  static let name = "space"
  /// The sign was turned; the data is the sign.
  static let state = "state"
  /// The programme has changed; fetch it.
  static let programme = "programme"
  /// The settings have changed; fetch them.
  static let settings = "settings"
}
