import Calendar
import CivilTime
import EventLoop
import Hub
import Lifecycle
import Observe
import Server
import Store
import Synchronization
import Wire

/// Watches the calendars in the settings, stores their last good copies, and answers questions about the programme.
///
/// It has a thread of its own, since parsing and expanding a large calendar takes a while.
actor ProgrammeWatch {
  private nonisolated let worker = WorkerThread(name: "programme")
  nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

  let hub: Hub
  /// The queue of requests over HTTP.
  nonisolated let questions: QuestionLine<ProgrammeWatch>
  private let calendarLooks: CalendarLooks
  private(set) var zone = Zone.utc
  private(set) var sources: [WatchedCalendar] = []
  /// The addresses being read, each at most once at a time, even if the settings change meanwhile.
  private(set) var underWay: Set<String> = []
  /// The addresses to be read now.
  var wanted: Set<String> = []
  private let poller: Poller
  /// True while this hub is the one that reads calendars.
  private var isReading = false
  private nonisolated let listed = Mutex<[CalendarSource]>([])
  /// The last change of another hub that is not known here yet, and the calendars that somebody there wants to be read.
  private nonisolated let elsewhere = Mutex<(commit: Int, wanted: Set<String?>)?>(nil)
  private nonisolated let follower: Poller
  /// Called when what the calendars say may have changed.
  nonisolated let hasNews = Mutex<[@Sendable () -> Void]>([])
  /// Calendars that were requested again while they were being read: they are read once more.
  private var refreshAgain: Set<String> = []
  /// The number of looks that have begun. Each has the number that this is then.
  private(set) var looks = 0
  /// The number of looks that had begun when an event was missed first, by its identifier: it may come with a later
  /// look at another calendar.
  var missed: [String: Int] = [:]
  /// The uptime when other calendars were last looked at for those.
  var soughtAt: Double?
  /// Nil for days with more than one answer may have.
  private var answers: [AnswerKey: PackedAnswer?] = [:]
  private var keptBytes = 0
  /// What `lookAhead` has worked out last, and for which times.
  var ahead: (hours: Range<Int>, events: [KnownEvent])?
  /// The last change that the programme includes.
  private var commit = 0
  /// Ready feeds by name, each for a day in the space's zone.
  var feeds: [String: (day: Int, feed: Result<PackedAnswer, NoFeed>)] = [:]

  private struct AnswerKey: Hashable {
    var from: CivilDate
    var to: CivilDate
  }
  struct Answer: Sendable {
    var body: PackedAnswer
    /// The last change that it includes.
    var commit: Int
  }

  init(_ hub: Hub) {
    self.hub = hub
    questions = QuestionLine(
      "programme", limit: ProgrammeLimits.questions, share: ProgrammeLimits.questionsOfOne, hub.metrics, hub.supervisor)
    calendarLooks = CalendarLooks(hub)
    poller = Poller(hub.loop)
    follower = Poller(hub.loop)
  }

  /// Runs `work` on the programme's thread, after earlier work, so that changes are taken in order.
  nonisolated func enqueue(_ work: @escaping @Sendable (isolated ProgrammeWatch) -> Void) {
    worker.execute { self.assumeIsolated(work) }
  }

  /// Returns once all earlier work is done.
  func finished() {}

  // MARK: Watching

  /// The calendars in the owner's list.
  nonisolated var calendars: [CalendarSource] { listed.withLock { $0 } }

  /// Watches these calendars from this change on.
  nonisolated func watch(
    _ calendars: [CalendarSource], _ kept: [KeptCalendar], in change: Change
  ) throws(StoreError) {
    let number = change.number
    change.database.touch(.calendars)
    // Another hub may be the one that reads them.
    try change.pass(.looks, .null)
    change.then { [self] in watch(calendars, kept, commit: number) }
  }

  nonisolated func watch(_ calendars: [CalendarSource], _ kept: [KeptCalendar], commit: Int) {
    listed.withLock { $0 = calendars }
    let zone = hub.place.zone
    enqueue { $0.configure(calendars, zone: zone, kept: kept, commit: commit) }
  }

  /// Reads all local times again if the place's zone changes.
  nonisolated func placeChanged(to place: Place, in change: Change) throws {
    guard place.zone.name != hub.place.zone.name else { return }
    try watch(change.database.calendarSources(), change.database.keptCalendars(), in: change)
  }

  /// Another hub has changed the list, or has read a calendar.
  /// - Parameters:
  ///   - commit: the number of the change.
  ///   - wanted: the calendars that somebody there wants to be read now; nil stands for all.
  nonisolated func changedElsewhere(commit: Int, lookingAt wanted: Set<String?>) {
    elsewhere.withLock { $0 = (commit, wanted.union($0?.wanted ?? [])) }
    follower.wake()
  }

  /// Takes what other hubs store until the task is cancelled.
  nonisolated func follow() async throws {
    try await follower.run { [self] in
      try await catchUp()
      return nil
    }
  }

  /// Takes what other hubs have stored, so that what is known here is not older: else a hub that begins to ring would
  /// take what another one has rung for events that move back.
  nonisolated func catchUp() async throws(StoreError) {
    while let (known, wanted) = elsewhere.withLock({ $0 }) {
      let (commit, zone) = (max(known, hub.commits.number), hub.place.zone)
      let (calendars, kept) = try await hub.store.read { database throws(StoreError) in
        (try database.calendarSources(), try database.keptCalendars())
      }
      // This hub may have stored something itself meanwhile.
      guard await take(calendars, kept, zone: zone, commit: commit, lookingAt: wanted) else { continue }
      elsewhere.withLock { if $0?.commit == known { $0 = nil } }
    }
  }

  /// - Returns: false if what was read is older than what is known here.
  private func take(
    _ calendars: [CalendarSource], _ kept: [KeptCalendar], zone: Zone, commit: Int, lookingAt wanted: Set<String?>
  ) -> Bool {
    guard commit >= self.commit else { return false }
    listed.withLock { $0 = calendars }
    configure(calendars, zone: zone, kept: kept, commit: commit, looks: false)
    look(at: sources.filter { wanted.contains(nil) || wanted.contains($0.id) }.map(\.kept.url))
    return true
  }

  /// Sets the calendars, and reads all of them; known ones keep their copies.
  private func configure(
    _ calendars: [CalendarSource], zone: Zone, kept: [KeptCalendar], commit: Int, looks: Bool = true
  ) {
    let isSameZone = zone.name == self.zone.name
    self.commit = commit
    self.zone = zone
    let known = Dictionary(kept.map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
    let schedules = Dictionary(sources.map { ($0.kept.url, $0) }, uniquingKeysWith: { first, _ in first })
    sources = calendars.map { calendar in
      var source = WatchedCalendar(calendar, known[calendar.address] ?? KeptCalendar(url: calendar.address))
      let before = schedules[calendar.address]
      if let before { source.takeOver(before) }
      // The zone of floating times may have changed.
      if !looks, isSameZone, let before, before.settings == calendar, before.kept.digest == source.kept.digest {
        source.calendar = before.calendar
      } else if let body = source.kept.body {
        source.calendar = try? parseCalendar(body, of: calendar, zone: zone, isStored: true)
      }
      if source.calendar == nil {
        // A copy that this version, unlike an earlier one, cannot parse: it is fetched anew, so that "unchanged" does
        // not hide it for good.
        source.kept.etag = nil
        source.kept.lastModified = nil
      }
      source.kept.body = nil
      return source
    }
    haveChanged()
    if looks { look(at: sources.map(\.kept.url)) }
  }

  /// Looks at each calendar when it is due or requested, until the task is cancelled.
  nonisolated func run() async throws {
    await setReading(true)
    do {
      try await withThrowingDiscardingTaskGroup { group in
        while true {
          let (urls, pause) = await next()
          for url in urls { group.addTask { await self.refresh(url) } }
          try await poller.wait(atMost: pause)
        }
      }
    } catch {
      await setReading(false)
      throw error
    }
  }

  private func setReading(_ isReading: Bool) { self.isReading = isReading }

  /// The calendars to be read now, and the seconds until the next one is due.
  private func next() -> (urls: Set<String>, pause: Double?) {
    let now = hub.time.uptime
    wanted.formUnion(sources.filter { $0.schedule.isDue(at: now) && !isLooking(at: $0) }.map(\.kept.url))
    let urls = wanted.subtracting(underWay)
    refreshAgain.formUnion(wanted.intersection(underWay))
    underWay.formUnion(urls)
    wanted = []
    // Those being read are scheduled again afterwards.
    let next = sources.filter { !isLooking(at: $0) }.map(\.schedule.due).min()
    return (urls, next.map { max(0, $0 - now) })
  }

  /// Looks at these calendars now, whatever the schedule, if this hub is the one that reads them. One that begins to do
  /// so reads those that it has never read.
  func look(at urls: [String]) {
    guard isReading else { return }
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
    looks += 1
    let number = looks
    // An event that is missed has come with this look, or has not.
    defer { if !missed.isEmpty { tellNews() } }
    let zone = self.zone
    let look = await calendarLooks.look(
      at: before.settings, before.kept, name: before.calendar?.name, zone: zone,
      copy: { await self.keptBody(of: url) })
    // The settings may have changed meanwhile.
    guard let index = sources.firstIndex(where: { $0.kept.url == url }) else { return }
    let old = sources[index].kept
    let hasNewBody = take(look.reading, zone.name == self.zone.name ? look.parsed : nil, at: index)
    sources[index].lastLook = number
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
        change.database.touch(.calendars)
        guard isNews else { return }
        let commit = change.number
        change.then { self.enqueue { $0.commit = commit } }
        change.publish(ProgrammeChannel.programme, on: ProgrammeChannel.channel, [:])
      }
    } catch {
      // The copy is used although it could not be stored; the next look fetches it again.
      if hasNewBody, let index = sources.firstIndex(where: { $0.kept.url == url }) {
        sources[index].copyWasNotStored()
      }
      if isNews { hub.publish(ProgrammeChannel.programme, on: ProgrammeChannel.channel, [:]) }
    }
    // After the copy is stored: what rings must not be forgotten with it.
    if hasNewBody || (old.goodAt == nil) != (kept.goodAt == nil) { tellNews() }
  }

  private nonisolated func tellNews() { for tell in hasNews.withLock({ $0 }) { tell() } }

  /// The stored copy, which a source needs to fetch changes only. Without it everything is fetched.
  func keptBody(of url: String) async -> [UInt8]? {
    do throws(StoreError) {
      return try await hub.store.read { database throws(StoreError) in try database.calendarBody(url) }
    } catch {
      hub.log.error("a calendar's copy could not be read", ["error": error.description])
      return nil
    }
  }

  /// - Parameter parsed: the new copy as it was parsed; nil to parse it here.
  /// - Returns: true for a new copy. A broken one is never taken: the last good one stays.
  private func take(
    _ reading: CalendarReading, _ parsed: Result<ParsedCalendar, CalendarError>? = nil, at index: Int
  ) -> Bool {
    var failure: LookFailure?
    var hasNewBody = false
    switch reading {
    case .unchanged(let etag): sources[index].kept.etag = etag
    case .failed(let reason): failure = reason
    case .new(let body, let etag, let lastModified):
      do throws(CalendarError) {
        let found: ParsedCalendar
        if let parsed {
          found = try parsed.get()
        } else {
          found = try parseCalendar(body, of: sources[index].settings, zone: zone)
        }
        // A provider's fault may look so, and everything would be told as cancelled. One whose events are all private
        // has a remark about that.
        let emptied = Reason(.calendarEmptied)
        let hadEvents = sources[index].calendar.map { !$0.series.isEmpty } ?? false
        let isPrivate = found.problems.contains { $0.code.hasSuffix("-private") }
        if found.series.isEmpty, !isPrivate, hadEvents, sources[index].kept.problem?.code != emptied.code {
          failure = LookFailure(emptied)
          break
        }
        sources[index].calendar = found
        let digest = KeptCalendar.digest(of: body)
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

  /// Replaces the copy by one from the store, or by none.
  func replace(at index: Int, with body: [UInt8]?, commit: Int) {
    self.commit = commit
    sources[index].kept = KeptCalendar(url: sources[index].kept.url)
    sources[index].calendar = nil
    if let body {
      _ = take(.new(body, etag: nil, lastModified: nil), at: index)
      sources[index].kept.body = nil
    }
    haveChanged()
  }

  /// To be called when the calendars have new copies.
  private func haveChanged() {
    forgetAnswers()
    feeds.removeAll()
    // Parsing a large calendar leaves much free memory.
    releaseFreeMemory()
    tellNews()
  }

  /// Logs the warnings about a new copy, for the owner.
  private func noteWarnings(of source: WatchedCalendar) {
    for warning in source.calendar?.warnings ?? [] {
      hub.log.warning("part of a calendar was left out", ["calendar": source.kept.label, "reason": warning])
    }
  }

  // MARK: Events

  /// The events on the days from `from` up to but not including `to`, in the space's zone.
  /// - Returns: nil if they are too much for one answer.
  func events(from: CivilDate, to: CivilDate) -> Answer? {
    let key = AnswerKey(from: from, to: to)
    let body = if let ready = answers[key] { ready } else { make(key) }
    return body.map { Answer(body: $0, commit: commit) }
  }

  private func make(_ key: AnswerKey) -> PackedAnswer? {
    let answer = render(key)
    keep(answer, for: key)
    // Encoding a large answer leaves many times its size as free memory.
    if (answer?.plainCount ?? 0) > ProgrammeLimits.largeAnswerBytes { releaseFreeMemory() }
    return answer
  }

  private func render(_ key: AnswerKey) -> PackedAnswer? {
    let start = zone.start(of: key.from)
    let end = zone.start(of: key.to)
    let found = expandFairly(
      sources.map { ($0.id, $0.calendar) }, from: start, to: end, occurrences: ProgrammeLimits.events,
      bytes: ProgrammeLimits.answerBytes, bytesOfEach: ProgrammeLimits.eventBytes)
    guard let found else { return nil }
    let statuses = zip(sources, found).map { source, found in
      SourceStatus(
        calendar: source.id, name: source.name, color: source.settings.color, asOf: source.kept.goodAt,
        problem: source.kept.problem, since: source.kept.problemSince,
        warnings: (source.calendar?.warnings ?? []) + found.warnings)
    }
    var occurrences = found.flatMap(\.occurrences)
    occurrences.sort { one, other in
      // Identifiers are computed at each access, so they are compared last.
      if one.start != other.start { return one.start < other.start }
      return one.title == other.title ? one.id < other.id : one.title < other.title
    }
    return PackedAnswer(EventsAnswer.bytes(occurrences, sources: statuses, zone: zone))
  }

  /// Caches an answer. Pages request the same few days again and again; others must not fill the memory.
  private func keep(_ answer: PackedAnswer?, for key: AnswerKey) {
    // A refusal is cached as well, since it has cost as much.
    let count = answer?.compressed.count ?? 100
    if keptBytes + count > ProgrammeLimits.keptBytes { forgetAnswers() }
    answers.updateValue(answer, forKey: key)
    keptBytes += count
  }

  private func forgetAnswers() {
    answers = [:]
    keptBytes = 0
    ahead = nil
  }
}
