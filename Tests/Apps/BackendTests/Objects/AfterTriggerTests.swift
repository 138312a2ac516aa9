import Crypto
import Hub
import HubWorld
import Objects
import Server
import Store
import Synchronization
import Testing
import Wire
import World

@testable import Backend

/// What waits for others after a commit, in virtual time: a server that cannot be reached, and a mail server that takes
/// nothing for a while.
@Suite(.timeLimit(.minutes(5)))
struct AfterTriggerTests {
  private let world: AppsWorld
  private let room: BackendRoom
  private let app: App
  private var objects: AppObjects { room.objects }

  init() async throws {
    world = try await AppsWorld()
    room = try world.room
    app = try await world.makeApp()
  }

  /// A hook whose address the hub may not connect to.
  private func hook(_ className: String) async throws {
    let hook = Hook(name: .trigger(.afterSave, className: className), url: "http://127.0.0.1:1/")
    let (id, hooks) = (app.id, objects.hooks)
    try await world.test.hub.commit(as: .room(BackendRoom.id)) { try hooks.set(hook, of: id, in: $0) }
  }

  private func create(_ className: String, _ count: Int) async throws {
    try await objects.write(app, as: .master) { writer in
      for number in 0..<count { _ = try writer.create(className, try ObjectEdit(["number": .int(number)])) }
    }
  }

  private var rows: Int {
    get async throws {
      try await world.test.store.read { database throws(StoreError) in
        try database.waitingCalls().reduce(0) { $0 + $1.count }
      }
    }
  }

  @Test func `calls wait for a server for a day, and are given up then`() async throws {
    try await hook("Note")
    try await create("Note", 3)
    #expect(try await rows == 3 && room.after.waiting[app.id]?.calls == 3)
    world.test.hub.run()
    let (waiting, id) = (room.after, app.id)
    try await world.test.wait(passing: 0) { waiting.waiting[id]?.isFailing == true }
    world.time.advance(by: AppsLimits.hookGiveUpSeconds - 400)
    try await create("Note", 1)
    #expect(try await rows == 4)
    // Time goes on while the store works: the last call may be given up together with the others.
    try await world.test.wait(passing: 100) { try await rows <= 1 }
    #expect(world.time.now >= AppsWorld.start + AppsLimits.hookGiveUpSeconds)
    try await world.test.wait(passing: 600) { try await rows == 0 }
    try await world.test.wait(passing: 600) { waiting.waiting[id] == nil }
    await world.test.end()
  }

  @Test func `so many calls wait for an app and no more, and none of a write that is undone`() async throws {
    try await hook("Note")
    try await create("Note", AppsLimits.hooksWaiting - 1)
    try await create("Note", 2)
    #expect(try await rows == AppsLimits.hooksWaiting)
    #expect(room.after.waiting[app.id]?.calls == AppsLimits.hooksWaiting)
    try await create("Other", 1)
    #expect(try await rows == AppsLimits.hooksWaiting, "a class without a webhook")
    _ = try await world.ask(.delete, "/\(app.id)")
    // They go with the last of the app's objects.
    world.test.hub.run()
    let (waiting, id) = (room.after, app.id)
    try await world.test.wait { try await rows == 0 && waiting.waiting[id] == nil }
    await world.test.end()
  }

  @Test func `calls of a webhook that is gone go too`() async throws {
    try await hook("Note")
    try await create("Note", 3)
    #expect(try await rows == 3)
    let (id, hooks) = (app.id, objects.hooks)
    try await world.test.hub.commit(as: .room(BackendRoom.id)) {
      try hooks.remove(.trigger(.afterSave, className: "Note"), of: id, in: $0)
    }
    world.test.hub.run()
    try await world.test.wait(passing: 0) { try await rows == 0 }
    await world.test.end()
  }

  @Test func `no call has the number of one that was told, and what waits keeps its own in an upgrade`() async throws {
    try await hook("Note")
    let target = HookTarget(app: app.id, name: .trigger(.afterSave, className: "Note"))
    func next() async throws -> WaitingCall {
      let call = try await world.test.store.read { database throws(StoreError) in try database.nextCall(for: target) }
      return try #require(call)
    }
    /// Removes the next call as one that was told, after another was written if there is none.
    func tell() async throws -> Int {
      if try await rows == 0 { try await create("Note", 1) }
      let call = try await next()
      try await world.test.store.write { database throws(StoreError) in try database.remove(call) }
      return call.number
    }
    let first = try await tell()
    #expect(try await tell() > first)
    try await create("Note", 1)
    let waiting = try await next()
    let statements = WaitingTables.numbered.sql.split(separator: ";").map(String.init)
    try await world.test.store.write { database throws(StoreError) in
      for statement in statements { try database.run(statement) }
    }
    let told = try await next()
    #expect(told.number == waiting.number && told.question == waiting.question && told.madeAt == waiting.madeAt)
    #expect(try await tell() == waiting.number)
    #expect(try await tell() > 1_000_000_000_000)
    await world.test.end()
  }

  /// Takes mails when it is told to.
  private final class Postbox: Mailer {
    let state = Mutex((isOpen: false, attempts: 0, mails: [RoomMail]()))
    func send(_ mail: RoomMail) async throws(HTTPError) {
      let isOpen = state.withLock { state in
        state.attempts += 1
        if state.isOpen { state.mails.append(mail) }
        return state.isOpen
      }
      if !isOpen { throw HTTPError(.tooBusy, "not now", help: "") }
    }
  }

  @Test func `a mail that was not taken is tried again, and its link is good`() async throws {
    let postbox = Postbox()
    world.test.hub.offers.make(.mailer, postbox)
    let password = PasswordHash(kept: "none")
    let user = try await objects.write(app, as: .stranger, passwords: ["x": password]) { writer in
      try writer.create(
        "_User", try ObjectEdit(["username": "ada", "password": "x", "email": "ada@example.org"])
      ).object.id
    }
    let mails = AccountMails(world.test.hub)
    try await objects.write(app, as: .master) { writer in
      try mails.send(.newPassword, to: try #require(try writer.user(user)), isGerman: false, in: writer)
    }
    world.test.hub.run()
    try await world.test.wait(passing: 0) { postbox.state.withLock { $0.attempts } == 1 }
    func isWaiting() async throws -> Bool {
      try await world.test.store.read { database throws(StoreError) in try database.nextMail() != nil }
    }
    try await world.test.wait(passing: 30) {
      let isWaiting = try await isWaiting()
      return !isWaiting || postbox.state.withLock { $0.attempts } >= 2
    }
    try #require(postbox.state.withLock { $0.attempts } >= 2)
    #expect(world.time.now >= AppsWorld.start + 60)
    postbox.state.withLock { $0.isOpen = true }
    try await world.test.wait(passing: 60) { !postbox.state.withLock { $0.mails.isEmpty } }
    let mail = try #require(postbox.state.withLock { $0.mails.first })
    let page = AccountMails.path + (mail.url.split(separator: "/").last ?? "")
    #expect(try await world.test.ask(.get, page).status == 200)
    try await world.test.wait { try await !isWaiting() }
    await world.test.end()
  }

  @Test func `the end of a mail takes no other one that has its number by then`() async throws {
    let password = PasswordHash(kept: "none")
    let user = try await objects.write(app, as: .stranger, passwords: ["x": password]) { writer in
      try writer.create("_User", try ObjectEdit(["username": "ada", "password": "x"])).object.id
    }
    let (id, now) = (app.id, world.time.now)
    let left = try await world.test.store.write { database throws(StoreError) -> [Double] in
      let person = try database.user(.id(user), of: id)?.object ?? 0
      func add(madeAt: Double) throws(StoreError) {
        try database.add(
          AccountMail(
            app: id, person: person, purpose: .verify, to: "ada@example.org", name: "ada", isGerman: false,
            madeAt: madeAt))
      }
      try add(madeAt: now)
      guard let sent = try database.nextMail()?.mail else { return [] }
      // As when its user is removed while it is sent, and signs up again.
      try database.remove(sent)
      try add(madeAt: now + 1)
      try database.wait(sent, until: now + 60)
      try database.remove(sent)
      return try database.nextMail().map { [$0.mail.madeAt, $0.at] } ?? []
    }
    #expect(left == [now + 1, now + 1])
    await world.test.end()
  }
}
