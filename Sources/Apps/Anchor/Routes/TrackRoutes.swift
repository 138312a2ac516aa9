import AnchorWatch
import CivilTime
import Hub
import Lifecycle
import Positions
import Server
import Store
import Wire

/// Tracks, the history of anchorages, and the replay before arming.
struct TrackRoutes: Sendable {
  let hub: Hub

  func add(to router: inout Router) {
    let path = AnchorRoutes.path
    router.on(.get, "\(path)/track", .task(track))
    router.on(.get, "\(path)/track.gpx", .task(export))
    router.on(.get, "\(path)/history", .task(history))
    let admit = hub.needs(.keepAnchorWatch)
    router.on(.post, "\(path)/tracks", bodyLimit: WatchLimits.gpxBytes, admit: admit, .task(bring))
    router.on(.post, "\(path)/replay", admit: admit, .task(replay))
  }

  /// The part of a track that a request names: an anchorage of the past, or the boat's own since some time.
  private struct Part: Sendable {
    var track = 0
    var from: Double
    var to: Double
    var anchorage: Anchorage?
  }

  private func part(_ request: Request) async throws(HTTPError) -> Part {
    _ = try await hub.authorise(request, .listen)
    let now = hub.time.now
    let query = request.query
    var since: Double?
    if let text = query["since"] {
      guard let time = parseTimestamp(text) else {
        throw HTTPError(
          .invalidQuery, "since: \"\(text.prefix(40))\" is no time.", help: "Example: since=2026-11-20T18:00:00Z.")
      }
      since = Double(time)
    }
    let id = query["anchorage"]
    let found = try await hub.read { database throws(StoreError) -> Anchorage? in
      guard let id else { return try database.anchorage() }
      guard let number = Int(id) else { return nil }
      return try database.anchorage(number)
    }
    if id != nil, found == nil {
      throw HTTPError(
        .noSuchAnchorage, "There is no anchorage \(id?.prefix(40) ?? "").", help: "GET /api/v1/anchor/history has all.")
    }
    var part = Part(from: since ?? found?.from ?? now - WatchLimits.idleTrack, to: now, anchorage: found)
    if id != nil, let found {
      part = Part(
        track: found.isImported ? found.id : 0, from: max(since ?? found.from, found.from), to: found.to ?? now,
        anchorage: found)
    }
    return part
  }

  private func track(_ request: Request) async throws(HTTPError) -> Response {
    let part = try await part(request)
    var every = 0.0
    if let text = request.query["every"] {
      guard let seconds = Double(text), (0...3_600).contains(seconds) else {
        throw HTTPError(
          .invalidQuery, "every: \"\(text.prefix(40))\"; seconds from 0 to 3600 are accepted.",
          help: "Example: every=20.")
      }
      every = seconds
    }
    let (number, wished) = (hub.commits.number, every)
    let (fixes, pace, events) = try await hub.read { database throws(StoreError) in
      let (fixes, pace) = try Self.fixes(of: part, every: wished, limit: WatchLimits.answered, in: database)
      return (fixes, pace, try database.trackEvents(ofTrack: part.track, from: part.from, to: part.to))
    }
    let gap = max(part.anchorage.flatMap { try? WatchSettingsForm($0.settings).settings.gap } ?? 60, 2 * pace)
    var gaps: [JSON] = []
    for (before, after) in zip(fixes, fixes.dropFirst()) where after.time - before.time > gap {
      gaps.append([.double(before.time), .double(after.time)])
    }
    let rows = fixes.map { fix -> JSON in
      [
        .double(Self.rounded(fix.time, 100)), .double(Self.rounded(fix.position.latitude, 1e7)),
        .double(Self.rounded(fix.position.longitude, 1e7)), JSON(fix.accuracy.map { Self.rounded($0, 100) }),
      ]
    }
    let told = events.map { event -> JSON in
      ["at": JSON(instant: event.at), "kind": .string(event.kind), "distance_m": .double(event.distance)]
    }
    return Response(json: ["fixes": .array(rows), "gaps": .array(gaps), "events": .array(told)]).notStored()
      .asOf(commit: number)
  }

  /// A value in whole parts of one. A centimetre, which is 1e-7 of a degree, and a hundredth of a second are enough, in
  /// half the bytes.
  private static func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }

  /// The fixes of a part, and the seconds of which one of them is told at most: more than fit are told with fewer of
  /// each minute, never with an end that is missing.
  private static func fixes(
    of part: Part, every wished: Double = 0, limit: Int, in database: Database
  ) throws(StoreError) -> ([Fix], pace: Double) {
    let least = try database.pace(ofTrack: part.track, from: part.from, to: part.to, limit: limit)
    let pace = max(wished, least)
    let fixes = try database.fixes(ofTrack: part.track, from: part.from, to: part.to, every: pace, limit: limit)
    return (fixes.map(\.fix), pace)
  }

  private func export(_ request: Request) async throws(HTTPError) -> Response {
    let part = try await part(request)
    let (fixes, pace) = try await hub.read { database throws(StoreError) in
      try Self.fixes(of: part, limit: WatchLimits.exported, in: database)
    }
    var bytes = GPXWriter.begin(name: "Anchor watch", anchor: part.anchorage.map { ($0.position, $0.from) })
    var last: Double?
    for fix in fixes {
      if let last, fix.time - last > max(60, 2 * pace) { bytes += GPXWriter.gap }
      bytes += GPXWriter.point(fix)
      last = fix.time
    }
    bytes += GPXWriter.end
    return Response(
      contentType: "application/gpx+xml", body: .bytes(bytes),
      fields: [Response.Field("Content-Disposition", "attachment; filename=\"anchor.gpx\"")]
    ).notStored()
  }

  private func history(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .listen)
    let all = try await hub.read { database throws(StoreError) in
      try database.pastAnchorages(limit: WatchLimits.anchorages)
    }
    let rows = all.map { one -> JSON in
      [
        "id": JSON(id: one.id), "from": JSON(instant: one.from), "to": JSON(instant: one.to),
        "lat": .double(one.position.latitude), "lon": .double(one.position.longitude),
        "max_m": .double(one.most.tenths), "alarms": .int(one.alarms), "imported": .bool(one.isImported),
      ]
    }
    return Response(json: ["anchorages": .array(rows)]).notStored()
  }

  /// Takes a GPX file in as an anchorage of the past.
  private func bring(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .keepAnchorWatch)
    var reader = GPXReader()
    var (fixes, refused): ([Fix], Int) = ([], 0)
    reader.feed(request.body) { Self.keep($0, &fixes, &refused) }
    reader.finish { Self.keep($0, &fixes, &refused) }
    fixes.sort { $0.time < $1.time }
    guard reader.isGPX, let first = fixes.first, let last = fixes.last else {
      throw HTTPError(
        .invalidField, "body: no GPX track with times; a GPX file with one <trkpt> at least is accepted.",
        help: "Nothing was taken in. What the page exports can be brought back.")
    }
    // Without a mark, the medians of the track, which a detour does not move.
    let named = reader.places.first { $0.name == "Anchor" }?.position
    let anchor = named ?? Position.median(fixes.map(\.position)) ?? first.position
    let form = WatchSettingsForm(anchor: anchor)
    let farthest = fixes.map { anchor.distance(to: $0.position) }.max() ?? 0
    let (track, left) = (fixes, refused)
    return try await hub.commit(once: request, as: principal) { change in
      var one = Anchorage(from: first.time, to: last.time, position: anchor, settings: form.json)
      (one.most, one.isImported) = (farthest, true)
      one.id = try change.database.add(one)
      for fix in track { try change.database.add(fix, source: 0, toTrack: one.id) }
      try change.audit("anchor.imported")
      AnchorChange.tell(change)
      return Response(
        status: 201,
        json: ["id": JSON(id: one.id), "fixes": .int(track.count), "refused": .int(left)]
      ).asOf(commit: change.number)
    }
  }

  private static func keep(_ reading: Positions.Reading, _ fixes: inout [Fix], _ refused: inout Int) {
    guard case .fix(let fix) = reading, fixes.count < WatchLimits.exported else { return refused += 1 }
    fixes.append(fix)
  }

  // MARK: Replay

  /// Tonight's settings against the last hours' track.
  private func replay(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .keepAnchorWatch)
    let json = request.body.isEmpty ? JSON.object([]) : try request.json()
    let now = hub.time.now
    let (anchorage, sources, fixes) = try await hub.read { database throws(StoreError) in
      (
        try database.anchorage(), try database.anchorSources(),
        try database.fixes(ofTrack: 0, from: now - WatchLimits.idleTrack, to: now, limit: WatchLimits.exported)
      )
    }
    let form: WatchSettingsForm
    do throws(WatchSettingsForm.Fault) {
      form = try WatchSettingsForm(anchorage?.settings ?? json).changed(by: json)
    } catch {
      throw HTTPError(.invalidField, error.message, help: "GET /api/v1/anchor has the settings.")
    }
    let settings = form.settings
    let own = Dictionary(uniqueKeysWithValues: sources.map { ($0.id, HubWatch.settings(settings, of: $0)) })
    let begin = Self.arrival(fixes.map(\.fix), settings, dropped: anchorage?.from ?? now)
    var replay = Replay(settings)
    for (source, fix) in fixes where fix.time >= begin {
      replay.take(fix)
      // The silence after a fix is as long as its source has promised.
      let promised = own[source] ?? settings
      replay.allow(gap: promised.gap, lost: promised.lost)
    }
    return Response(json: replay.json).notStored()
  }

  /// From when on she lies at her anchor: the passage to it says nothing of the night. It ends with the drop at the
  /// latest, since whoever goes far after that drags.
  private static func arrival(_ fixes: [Fix], _ settings: WatchSettings, dropped: Double) -> Double {
    let anchor = settings.anchor
    let reach = settings.alarm.reach(from: anchor) + WatchLimits.passage
    let last = fixes.last { $0.time < dropped && anchor.distance(to: $0.position) > reach }
    return last.map { min($0.time + WatchLimits.arrival, dropped) } ?? -.infinity
  }
}
