import AnchorWatch
import Bells
import Crypto
import Delivery
import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

@testable import Anchor

@Suite(.timeLimit(.minutes(5)))
struct AnchorRouteTests {
  private func refusal(
    _ world: AnchorWorld, _ method: Method, _ path: String, _ json: JSON? = nil, token: String? = nil
  ) async -> Int? {
    let error = await #expect(throws: HTTPError.self) { try await world.ask(method, path, json, token: token) }
    return error?.code.rawValue
  }

  @Test func `from the drop to the weighing, with history, replay and export`() async throws {
    let world = try await AnchorWorld()
    world.run()
    #expect(try await world.state == "idle")
    #expect(await refusal(world, .post, "/arm", [:]) == 40450)
    #expect(await refusal(world, .post, "/drop", [:]) == 40951, "nobody has told a position")
    try await world.report(20)
    let twice: JSON = ["lat": 54.1, "lon": 10.2, "bearing_deg": 180, "distance_m": 20]
    #expect(await refusal(world, .post, "/drop", twice) == 40003, "a place, or as it is seen from the boat")
    #expect(await refusal(world, .post, "/drop", ["settings": ["radius_m": 15], "arm": true]) == 40003)
    let dropped = try await world.ask(.post, "/drop", ["bearing_deg": 180, "distance_m": 20])
    #expect(dropped["state"]?.string == "dropped" && dropped["anchor_by"]?.string == "bearing")
    #expect(dropped["distance_m"]?.number.map { abs($0 - 20) < 0.2 } == true)
    #expect(await refusal(world, .post, "/drop", [:]) == 40950)
    let changed = try await world.ask(.patch, "", ["zone": ["shape": "circle", "radius_m": 30], "grace_s": 10])
    #expect(changed["settings"]?["zone"]?["radius_m"]?.number == 30)
    #expect(await refusal(world, .patch, "", ["grace_s": -1]) == 40003)
    #expect(await refusal(world, .patch, "", ["anchor_by": "swnig"]) == 40003)
    let armed = try await world.ask(.post, "/arm", [:])
    #expect(armed["armed"] == true)
    #expect(armed["warnings"]?.array?.compactMap { $0["kind"]?.string } == ["no drill"])
    #expect(world.heard.pushes.last?["armed"] == true)
    let told = try await world.report(20)
    #expect(
      told["armed"] == true && told["settings"]?["grace_s"]?.number == 10
        && told["version"] == world.heard.pushes.last?["version"])
    try await world.lie(at: 25, for: 300)
    let extended = try await world.ask(.post, "/extend", [:])
    #expect(extended["settings"]?["zone"]?["radius_m"] == 37.5 && extended["warning_room_m"]?.number == 7.5)
    let replay = try await world.ask(.post, "/replay", ["zone": ["shape": "circle", "radius_m": 10], "grace_s": 0])
    #expect(replay["events"]?.array?.contains { $0["kind"]?.string == "alarm" } == true)
    #expect(replay["max_m"]?.number.map { abs($0 - 25) < 0.3 } == true)
    #expect(await refusal(world, .post, "/weigh", [:]) == 40952)
    #expect(try await world.ask(.post, "/weigh", ["sure": true])["state"]?.string == "idle")
    #expect(world.heard.pushes.last?["settings"] == .null && world.heard.pushes.last?["armed"] == false)
    let history = try await world.ask(.get, "/history")["anchorages"]?.array ?? []
    #expect(history.count == 1 && history[0]["max_m"]?.number.map { abs($0 - 25) < 0.3 } == true)
    #expect(try await world.report(20)["settings"] == .null)
    await world.test.end()
  }

  @Test func `a replay leaves the passage out, but nothing since the anchor is down`() async throws {
    let world = try await AnchorWorld()
    world.run()
    func farthest() async throws -> Double {
      try await world.ask(.post, "/replay", ["zone": ["shape": "circle", "radius_m": 40]])["max_m"]?.number ?? -1
    }
    try await world.lie(at: 5_000, for: 300)
    try await world.lie(at: 20, for: 1_200)
    try await world.ask(.post, "/drop", ["lat": 54.1, "lon": 10.2])
    try await world.lie(at: 21, for: 300)
    let lain = try await farthest()
    #expect(abs(lain - 21) < 0.3)
    try await world.lie(at: 700, for: 600)
    let dragged = try await farthest()
    #expect(abs(dragged - 700) < 1)
    await world.test.end()
  }

  @Test func `in a replay nothing is lost between the positions of a phone that tells them seldom`() async throws {
    let world = try await AnchorWorld()
    world.run()
    let settings: JSON = ["anchor": ["lat": 54.1, "lon": 10.2], "zone": ["shape": "circle", "radius_m": 40]]
    func kinds(after seconds: Int) async throws -> [String] {
      await world.pass(seconds, step: 30)
      let fix: JSON = [.double(world.time.now), 54.1, 10.2, 4, nil]
      let report: JSON = ["source": "phone", "kind": "agent", "interval_s": 900, "fixes": [fix]]
      try await world.ask(.post, "/positions", report, token: AnchorWorld.agent)
      let replay = try await world.ask(.post, "/replay", settings)
      return replay["events"]?.array?.compactMap { $0["kind"]?.string } ?? []
    }
    #expect(try await kinds(after: 0) == [])
    #expect(try await kinds(after: 900) == [])
    #expect(try await kinds(after: 1_830) == ["position lost", "position back"])
    await world.test.end()
  }

  @Test func `what is exported can be brought back`() async throws {
    let world = try await AnchorWorld.watching()
    try await world.lie(at: 22, for: 300)
    let file = try await world.test.ask(.get, "/api/v1/anchor/track.gpx", token: world.tokens["owner"])
    guard case .bytes(let bytes) = file.body else { throw HTTPError.noAnchorDown }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("<name>Anchor</name>"))
    let answer = try await world.test.ask(.post, "/api/v1/anchor/tracks", token: world.tokens["owner"], form: text)
    #expect(answer.status == 201)
    let history = try await world.ask(.get, "/history")["anchorages"]?.array ?? []
    #expect(history.count == 1 && history[0]["imported"] == true)
    #expect(history[0]["max_m"]?.number.map { abs($0 - 22) < 0.3 } == true)
    await #expect(throws: HTTPError.self) {
      try await world.test.ask(.post, "/api/v1/anchor/tracks", token: world.tokens["owner"], form: "<kml></kml>")
    }
    await world.test.end()
  }

  @Test func `a long stay is told and exported up to its newest position, with no gaps that are none`() async throws {
    let world = try await AnchorWorld()
    // Two weeks with a fix each seven seconds are more than either takes.
    let count = WatchLimits.exported + 100
    let first = AnchorWorld.start - 7 * Double(count)
    try await world.test.store.write { database throws(StoreError) in
      try database.run(
        """
        WITH RECURSIVE numbers (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers WHERE id < ?)
        INSERT INTO anchor_fixes (track, at, lat, lon, source) SELECT 0, ? + 7 * id, 54.12345678, 10.2, 1 FROM numbers
        """, .int(count), .double(first))
    }
    let since = "since=2026-11-01T00:00:00Z"
    let told = try await world.ask(.get, "/track?\(since)")
    #expect(told["gaps"] == [])
    #expect(told["fixes"]?.array?.first?.array?[1].number == 54.1234568, "to a centimetre")
    let times = told["fixes"]?.array?.compactMap { $0.array?.first?.number } ?? []
    #expect(times.count > WatchLimits.answered / 2 && times.count <= WatchLimits.answered)
    #expect(times.first.map { $0 < first + 600 } == true && times.last.map { $0 > AnchorWorld.start - 600 } == true)
    let file = try await world.test.ask(.get, "/api/v1/anchor/track.gpx?\(since)", token: world.tokens["owner"])
    guard case .bytes(let bytes) = file.body else { throw HTTPError.noAnchorDown }
    let end = String(decoding: bytes.suffix(200), as: UTF8.self)
    #expect(end.contains("<time>2026-11-20T18:3") || end.contains("<time>2026-11-20T18:40:00"), "\(end)")
    await world.test.end()
  }

  @Test(arguments: [false, true])
  func `positions of no time at anchor go after half a day, those of one after ninety`(isDown: Bool) async throws {
    let world = try await AnchorWorld()
    world.run()
    try await world.report(20)
    try await world.ask(.post, "/drop", ["lat": 54.1, "lon": 10.2])
    try await world.test.store.write { database throws(StoreError) in
      let time = { (hours: Double) in Value.double(AnchorWorld.start + hours * 3_600) }
      try database.run("UPDATE anchor_anchorages SET from_at = ?, to_at = ?", time(-20), isDown ? .null : time(-14))
      // One within another: the clock was set. Positions of one that was brought from elsewhere are not the boat's.
      for (from, to, isImported) in [
        (-2_300.0, -2_100.0, 0), (-100, -80, 0), (-90, -85, 0), (-76, -70, 1), (-60, -40, 0),
      ] {
        try database.run(
          """
          INSERT INTO anchor_anchorages (from_at, to_at, lat, lon, settings, version, placing, most, alarms, imported)
          SELECT ?, ?, lat, lon, settings, version, placing, 0, 0, ? FROM anchor_anchorages LIMIT 1
          """, time(from), time(to), .int(isImported))
      }
      for hours in [-2_250.0, -2_120, -2_000, -100, -82, -80, -79, -72, -60, -40, -30, -20, -15, -13, -5] {
        try database.run(
          "INSERT INTO anchor_fixes (track, at, lat, lon, source) VALUES (0, ?, 54.1, 10.2, 1)", time(hours))
      }
      try database.run("INSERT INTO anchor_fixes (track, at, lat, lon, source) VALUES (99, 1, 54.1, 10.2, 1)")
    }
    await world.pass(Int(WatchLimits.tidy) + 600, step: 300)
    let kept = try await world.test.store.read { database throws(StoreError) in
      try database.rows("SELECT at FROM anchor_fixes ORDER BY at") {
        Int((($0.double(0) - AnchorWorld.start) / 3_600).rounded())
      }
    }
    let wanted = [-2_120, -100, -82, -80, -60, -40, -20, -15] + (isDown ? [-13] : []) + [-5, 0]
    #expect(kept == wanted)
    await world.test.end()
  }

  @Test func `a track without a mark has its anchor in its middle, also at the date line`() async throws {
    let world = try await AnchorWorld()
    let points = ["179.9998", "-179.9998", "179.9999", "-179.9999", "180"].enumerated().map { second, longitude in
      "<trkpt lat=\"-17\" lon=\"\(longitude)\"><time>2026-07-01T20:00:0\(second)Z</time></trkpt>"
    }
    let file = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    let answer = try await world.test.ask(.post, "/api/v1/anchor/tracks", token: world.tokens["owner"], form: file)
    #expect(answer.status == 201)
    let one = try #require(try await world.ask(.get, "/history")["anchorages"]?.array?.first)
    #expect(one["lon"]?.number.map { abs($0) > 179.99 } == true)
    #expect(one["max_m"]?.number.map { $0 < 30 } == true)
    await world.test.end()
  }

  @Test func `a drill rings every device that would be rung, and arming names those that did not answer`() async throws
  {
    let world = try await AnchorWorld()
    world.run()
    try await world.report(20)
    try await world.ask(.post, "/drop", ["lat": 54.1, "lon": 10.2])
    let drill = try await world.drill(.post)
    #expect(drill["devices"] == 2)
    #expect(world.heard.pushes.last?["drill"] == drill["id"])
    await world.pass(5)
    // The boat's agent answers with its next report, and so does Ada's phone by its button.
    try await world.report(20, [.init("drill", drill["id"] ?? .null)])
    let before = try await world.drill(.get)["devices"]?.array ?? []
    #expect(before.compactMap { $0["answered_after_s"]?.number } == [5])
    let room = try #require(world.test.hub.rooms.first { $0 is BellsRoom })
    let other = try #require(before.first { $0["answered_after_s"] == .null }?["device"]?.string)
    let id = drill["id"]?.string ?? ""
    try await world.test.hub.commit(as: .room("bells")) { change in
      try room.answered(
        BellAnswer(notification: 1, action: "heard", person: 1, collapseID: "drill.\(id).\(other)"), in: change)
    }
    let after = try await world.drill(.get)["devices"]?.array ?? []
    #expect(after.allSatisfy { $0["answered_after_s"]?.number != nil && $0["rang"] == true })
    #expect(try await world.ask(.post, "/arm", [:])["warnings"] == [])
    await world.test.end()
  }

  @Test func `arming names those of the crew who have no device, and they are rung last`() async throws {
    let world = try await AnchorWorld()
    world.run()
    try await world.test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (3, 'Cleo', 'owner', 0)")
    }
    try await world.report(20)
    try await world.ask(.post, "/drop", ["lat": 54.1, "lon": 10.2])
    let warnings = try await world.ask(.post, "/arm", [:])["warnings"]?.array ?? []
    #expect(warnings.compactMap { $0["kind"]?.string } == ["no device", "no drill"])
    #expect(warnings.first?["person"] == "Cleo" && warnings.first?["name"] == .null)
    let crew = try await world.test.store.read { database throws(StoreError) in try Crew(database, armedBy: 3) }
    #expect(crew.persons == [1, 3] && crew.withoutDevice == [3])
    await world.test.end()
  }

  /// An order given on the boat, as her agent tells it.
  private func order(
    version: JSON, age: Double, dropped: Double? = nil, north: Double? = 0, radius: Double = 30
  ) -> [JSON.Member] {
    let place = north.map { AnchorWorld.anchor.moved(bearing: 0, distance: $0) }
    let settings: JSON? = place.map {
      [
        "anchor": ["lat": .double($0.latitude), "lon": .double($0.longitude)],
        "zone": ["shape": "circle", "radius_m": .double(radius)],
      ]
    }
    let told: JSON = [
      "version": version, "age_s": .double(age), "dropped_age_s": JSON(dropped), "armed": .bool(settings != nil),
      "settings": settings ?? .null,
    ]
    return [.init("anchor", told)]
  }

  @Test func `what was ordered on the boat reaches the hub, the newest counts, and the history is kept`() async throws {
    let world = try await AnchorWorld()
    world.run()
    try await world.report(20)
    // Dropped an hour ago, without a network.
    let dropped = try await world.report(20, order(version: 0, age: 3_600, dropped: 3_600))
    #expect(dropped["armed"] == true && dropped["version"] == 1)
    let first = try await world.ask(.get)
    #expect(first["settings"]?["zone"]?["radius_m"]?.number == 30)
    #expect(first["dropped_at"]?.string == "2026-11-20T17:40:00Z")
    // The answer was lost: told again, it begins no other anchorage.
    #expect(try await world.report(20, order(version: 0, age: 3_601, dropped: 3_601))["version"] == 1)
    // Nor does it if it was followed by another order before an answer was heard.
    let followed = try await world.report(20, order(version: 1, age: 3_590, dropped: 3_602, radius: 30))
    #expect(followed["version"] == 2 && followed["armed"] == true)
    #expect(try await world.ask(.get, "/history")["anchorages"] == [])
    // Moved there, as the boat knows the hub's settings.
    let moved = try await world.report(20, order(version: 2, age: 1, north: 5))
    #expect(moved["version"] == 3 && moved["armed"] == true)
    #expect(try await world.ask(.get, "/history")["anchorages"] == [])
    // Changed here, and an older order from the boat comes late: it is answered with what is newer.
    await world.pass(60)
    _ = try await world.ask(.patch, "", ["zone": ["shape": "circle", "radius_m": 70]])
    let late = try await world.report(20, order(version: 3, age: 90, radius: 35))
    #expect(late["version"] == 4 && late["settings"]?["zone"]?["radius_m"]?.number == 70)
    // A newer one counts, though the boat has not heard of the change.
    await world.pass(60)
    let newer = try await world.report(20, order(version: 3, age: 1, radius: 35))
    #expect(newer["version"] == 5 && newer["settings"]?["zone"]?["radius_m"]?.number == 35)
    // Weighed and dropped again without a network: the anchorage before is in the history, with its end.
    await world.pass(600)
    let again = try await world.report(20, order(version: 5, age: 10, dropped: 300, north: 200))
    #expect(again["version"] == 7 && again["armed"] == true)
    let history = try await world.ask(.get, "/history")["anchorages"]?.array ?? []
    #expect(history.count == 1 && history[0]["from"]?.string == "2026-11-20T17:40:00Z")
    // Weighed on the boat, which has heard no answer to the drop.
    let weighed = try await world.report(20, order(version: 7, age: 0, dropped: 300, north: nil))
    #expect(weighed["armed"] == false && weighed["settings"] == .null)
    let both = try await world.ask(.get, "/history")["anchorages"]?.array ?? []
    #expect(both.count == 2 && both.allSatisfy { $0["to"]?.string != $0["from"]?.string })
    for wrong: JSON in [7, [:], ["version": 1, "age_s": -1, "armed": true, "settings": .null]] {
      #expect(
        await refusal(
          world, .post, "/positions", ["kind": "agent", "anchor": wrong], token: AnchorWorld.agent) == 40003)
    }
    await world.test.end()
  }

  @Test func `depth and wind that the boat alone can notice ring the crew, once each`() async throws {
    let world = try await AnchorWorld.watching()
    func told(_ kind: String, ago: Double = 0, by source: String = "agent") async throws {
      let event: JSON = ["at": .double(world.time.now - ago), "kind": .string(kind), "distance_m": 20]
      try await world.report(
        20, source: source, kind: source, [.init("events", [event])],
        token: source == "agent" ? AnchorWorld.agent : world.tokens["owner"])
    }
    try await told("depth")
    try await told("depth")
    #expect(world.heard.titles == ["The depth is not as you wanted it"])
    #expect(world.heard.bells.last?.title.german == "Die Tiefe ist nicht, wie du sie wolltest")
    #expect(world.heard.bells.last?.level == .critical && world.heard.bells.last?.actions.map(\.id) == ["on-it"])
    let room = try #require(world.test.hub.rooms.first { $0 is AnchorRoom })
    let depth = try #require(world.heard.bells.last?.collapseID)
    try await world.test.hub.commit(as: .room("bells")) { change in
      try room.answered(BellAnswer(notification: 1, action: "on-it", person: 2, collapseID: depth), in: change)
    }
    await world.test.settle()
    #expect(world.heard.pushes.last?["acknowledged"] == true)
    try await told("wind shift")
    // Old events are for the track alone, and a page knows nothing of the water.
    try await told("depth", ago: 700)
    try await told("wind shift", ago: 1, by: "page")
    #expect(world.heard.titles == ["The depth is not as you wanted it", "The wind has shifted"])
    let kinds = try await world.test.store.read { database throws(StoreError) in
      try database.trackEvents(ofTrack: 0, from: 0, to: AnchorWorld.start).map(\.kind)
    }
    #expect(kinds.filter { $0 == "depth" }.count == 2 && kinds.filter { $0 == "wind shift" }.count == 2)
    await world.test.end()
  }

  @Test func `depth rings the crew also when the boat's clock is ahead, and what is old does not`() async throws {
    let world = try await AnchorWorld.watching()
    let now = world.time.now
    func told(_ at: Double) async throws {
      let event: JSON = ["at": .double(at), "kind": "depth", "distance_m": 20]
      try await world.report(20, at: now + 5_000, [.init("events", [event])])
    }
    try await told(now + 4_300)
    #expect(world.heard.titles == ["“gpsd”: the clock is 83 minutes ahead"])
    try await told(now + 5_000)
    #expect(world.heard.titles.last == "The depth is not as you wanted it")
    let times = try await world.test.store.read { database throws(StoreError) in
      try database.trackEvents(ofTrack: 0, from: 0, to: now).filter { $0.kind == "depth" }.map(\.at)
    }
    #expect(times == [now - 700, now])
    await world.test.end()
  }

  @Test func `whoever is on the depth, here or in another bay, is not on a boat that drags`() async throws {
    let world = try await AnchorWorld()
    world.run()
    let room = try #require(world.test.hub.rooms.first { $0 is AnchorRoom })
    func depth() async throws -> String {
      let event: JSON = ["at": .double(world.time.now), "kind": "depth", "distance_m": 20]
      try await world.report(20, [.init("events", [event])])
      return try #require(world.heard.bells.last { $0.title.english.hasPrefix("The depth") }?.collapseID)
    }
    func answer(_ notification: String) async throws {
      let answer = BellAnswer(notification: 1, action: "on-it", person: 2, collapseID: notification)
      try await world.test.hub.commit(as: .room("bells")) { change in try room.answered(answer, in: change) }
      await world.test.settle()
    }
    try await world.armed()
    let before = try await depth()
    _ = try await world.ask(.post, "/weigh", ["sure": true])
    await world.pass(600)
    try await world.armed()
    await world.pass(5)
    let tonight = try await depth()
    #expect(before != tonight)
    try await world.lie(at: 58, for: 120)
    #expect(try await world.state == "alarm")
    let pushes = world.heard.pushes.count
    try await answer(before)
    try await answer(tonight)
    #expect(world.heard.pushes.count == pushes, "she goes on ringing, too")
    let open = try await world.test.store.read { database throws(StoreError) in try database.openAlarms() }
    #expect(open.map(\.kind) == [.alarm] && open.allSatisfy { $0.acknowledgedBy == nil })
    await world.test.end()
  }

  @Test(arguments: [5.0, 5_000])
  func `an event told again rings no second time, though the boat's clock is ahead`(ahead: Double) async throws {
    let world = try await AnchorWorld.watching()
    let event: JSON = ["at": .double(world.time.now + ahead), "kind": "depth", "distance_m": 20]
    try await world.report(20, at: world.time.now + ahead, [.init("events", [event])])
    await world.pass(60)
    // Its clock was set right meanwhile.
    try await world.report(20, [.init("events", [event])])
    #expect(world.heard.titles.filter { $0.hasPrefix("The depth") }.count == 1)
    let now = world.time.now
    let events = try await world.test.store.read { database throws(StoreError) in
      try database.trackEvents(ofTrack: 0, from: 0, to: now)
    }
    #expect(events.filter { $0.kind == "depth" }.count == 1)
    await world.test.end()
  }

  @Test func `positions of a person's agent ring at places, as a phone's do`() async throws {
    let world = try await AnchorWorld()
    let secret = "ebd_ada"
    try await world.test.store.write { database throws(StoreError) in
      _ = try database.addPushDevice(
        PushDevice(name: "Ada's boat", kind: .agent, person: 1, channels: [.gateway], createdAt: 0),
        secretDigest: Digest.sha256(secret.utf8))
    }
    func report(_ north: Double) async throws {
      await world.pass(60)
      let place = AnchorWorld.anchor.moved(bearing: 0, distance: north)
      try await world.ask(
        .post, "/positions",
        ["kind": "agent", "fixes": [[.double(world.time.now), .double(place.latitude), .double(place.longitude), 4]]],
        token: secret)
    }
    try await report(2_000)
    let trigger: JSON = ["type": "location", "latitude": 54.1, "longitude": 10.2, "radius": 500, "on": "enter"]
    _ = try await world.test.ask(
      .post, "/api/v1/notifications", token: world.tokens["owner"],
      ["to": ["person": "1"], "content": ["title": "The harbour"], "trigger": trigger])
    func rung() async throws -> Int? {
      try await world.test.store.read { database throws(StoreError) in
        try database.first("SELECT count(*) FROM push_inbox WHERE person = 1", read: { $0.int(0) })
      }
    }
    try await report(1_900)
    #expect(try await rung() == 0)
    try await report(300)
    #expect(try await rung() == 1)
    await world.test.end()
  }

  @Test func `a drop offers a radius beyond the swing, and a heading lets the bow count`() async throws {
    let world = try await AnchorWorld()
    world.run()
    try await world.report(24.3)
    // 4 m of error is an HDOP of 1: 24.3 m and 22.5 m.
    let dropped = try await world.ask(.post, "/drop", ["lat": 54.1, "lon": 10.2])
    #expect(dropped["settings"]?["zone"]?["radius_m"]?.number == 47)
    _ = try await world.ask(.post, "/arm", [:])
    func lie(_ heading: JSON) async throws -> Double? {
      await world.pass(30)
      let place = AnchorWorld.anchor.moved(bearing: 0, distance: 24)
      let fix: JSON = [.double(world.time.now), .double(place.latitude), .double(place.longitude), 4, nil, heading]
      try await world.ask(
        .post, "/positions", ["source": "gpsd", "kind": "agent", "fixes": [fix]], token: AnchorWorld.agent)
      let told = try await world.ask(.get)
      #expect(told["fix"]?["heading_deg"]?.number == heading.number)
      return told["distance_m"]?.number
    }
    // Bow to the anchor, south of her, and the other way round.
    #expect(try await lie(180) == 20)
    #expect(try await lie(0) == 28)
    #expect(try await lie(nil) == 24)
    await world.test.end()
  }

  @Test func `a boat of which only an old position is known does not lie on her anchor`() async throws {
    let world = try await AnchorWorld()
    try await world.ask(.post, "/drop", ["lat": 54.1, "lon": 10.2, "arm": true])
    try await world.report(nil)
    #expect(try await world.ask(.get)["distance_m"] == .null)
    try await world.report(20, at: world.time.now - 7_200)
    let told = try await world.ask(.get)
    #expect(told["state"]?.string == "waiting" && told["distance_m"]?.number.map { abs($0 - 20) < 0.2 } == true)
    await world.test.end()
  }

  @Test func `who may do what, and what is wrong with a report`() async throws {
    let world = try await AnchorWorld()
    #expect(await refusal(world, .get, "", token: "nobody") == 40102)
    #expect(await refusal(world, .post, "/positions", ["kind": "agent"], token: "ebd_stranger") == 40102)
    for fixes: JSON in [[[1, 0, 0]], [[1, 91, 10]], [[1, 54, 200]], [["a", 54, 10]], [[1]], 7] {
      #expect(
        await refusal(world, .post, "/positions", ["kind": "agent", "fixes": fixes], token: AnchorWorld.agent) == 40003)
    }
    let many = JSON.array(Array(repeating: [1_795_200_000, 54, 10], count: 501))
    #expect(
      await refusal(world, .post, "/positions", ["kind": "agent", "fixes": many], token: AnchorWorld.agent) == 40003)
    #expect(await refusal(world, .post, "/positions", ["kind": "submarine"], token: AnchorWorld.agent) == 40003)
    // Latitude 0 alone is a place to anchor.
    let answer = try await world.ask(
      .post, "/positions", ["kind": "agent", "fixes": [[1_795_200_000, 0, 10.5, 3]]], token: AnchorWorld.agent)
    #expect(answer["armed"] == false)
    await world.test.end()
  }
}
