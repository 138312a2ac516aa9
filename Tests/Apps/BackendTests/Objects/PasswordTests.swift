import Crypto
import Hub
import HubWorld
import Objects
import Server
import Synchronization
import Testing
import Wire

@testable import Backend

/// Passwords and tokens as they are kept, and the work that strangers can cause.
@Suite(.timeLimit(.minutes(5)))
struct PasswordTests {
  @Test func `a password is kept as what scrypt makes of it, each time another`() {
    let (one, other) = (PasswordHash(of: "correct horse"), PasswordHash(of: "correct horse"))
    #expect(one.text.hasPrefix("scrypt$14$8$5$") && !one.text.contains("horse") && one != other)
    #expect(PasswordHash.matches("correct horse", PasswordHash(kept: one.text)))
    #expect(!PasswordHash.matches("correct horsf", one) && !PasswordHash.matches("", one))
    #expect(!PasswordHash.matches("a", nil))
  }

  @Test(arguments: [
    "", "scrypt", "scrypt$14$8$5$AA$", "scrypt$99$8$5$AA$AA", "scrypt$14$8$5$!$AA", "bcrypt$1$1$1$AA$AA",
  ])
  func `what is no hash matches nothing`(text: String) {
    #expect(!PasswordHash.matches("", PasswordHash(kept: text)))
  }

  @Test func `a session's token has 32 digits, and only such have a digest`() {
    let token = SessionToken.make()
    #expect(token.hasPrefix("r:") && token.count == 34 && SessionToken.digest(token)?.count == 32)
    #expect(SessionToken.make() != token)
    #expect(SessionToken.digest("garbage_token") == nil && SessionToken.digest("r:") == nil)
  }

  @Test func `so many wait for one address and no more, and others are served meanwhile`() async {
    let work = PasswordWork(AppsLimits.passwordWork)
    let gate = Gate()
    await withTaskGroup(of: Int?.self) { group in
      for number in 0..<AppsLimits.passwordsOfAddress {
        group.addTask {
          await work.run(for: "192.0.2.1") {
            // Held until all have come, on the threads of the work.
            while !gate.isOpen.load(ordering: .relaxed) {}
            return number
          }
        }
      }
      while work.count < AppsLimits.passwordsOfAddress { await Task.yield() }
      #expect(await work.run(for: "192.0.2.1", { 1 }) == nil)
      group.addTask { await work.run(for: "192.0.2.2") { 100 } }
      while work.count < AppsLimits.passwordsOfAddress + 1 { await Task.yield() }
      gate.isOpen.store(true, ordering: .relaxed)
      var sum = 0
      for await one in group { sum += one ?? -1_000 }
      #expect(sum == 100 + (0..<AppsLimits.passwordsOfAddress).reduce(0, +))
    }
    #expect(work.count == 0)
  }

  @Test func `a sign-in with a password that is changed meanwhile makes no session`() async throws {
    let (world, app, objects) = try await AppsWorld.withApp()
    let gate = Gate()
    let (old, new) = (PasswordHash(of: "old"), PasswordHash(of: "new"))
    let id = try await objects.write(app, as: .stranger, passwords: ["old": old]) { writer in
      try writer.create("_User", ObjectEdit(["username": "ada", "password": "old"])).object.id
    }
    /// Parse's number of the error; nil if there is none.
    @Sendable func signIn(_ password: String) async -> Int? {
      let body: JSON = [
        "_ApplicationId": .string(app.applicationID), "_JavaScriptKey": .string(app.restKey), "username": "ada",
        "password": .string(password),
      ]
      return await parseCode { _ = try await world.test.ask(.post, "/parse/login", body) }
    }
    #expect(await signIn("old") == nil)
    // Both threads are held: the sign-in has read the password's hash, and waits.
    defer { gate.isOpen.store(true, ordering: .relaxed) }
    for _ in 0..<2 {
      Task {
        await objects.passwordWork.run(for: "192.0.2.1") { while !gate.isOpen.load(ordering: .relaxed) {} }
      }
    }
    while objects.passwordWork.count < 2 { await Task.yield() }
    let signing = Task { await signIn("old") }
    while objects.passwordWork.count < 3 { await Task.yield() }
    try await objects.write(app, as: .master, passwords: ["new": new]) { writer in
      _ = try writer.update("_User", id, ObjectEdit(["password": "new"]))
    }
    gate.isOpen.store(true, ordering: .relaxed)
    #expect(await signing.value == 101)
    #expect(await signIn("new") == nil)
    await world.test.end()
  }
}

private final class Gate: Sendable { let isOpen = Atomic(false) }
