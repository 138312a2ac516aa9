import APNs
import APNsSender
import Delivery
import Hub
import Lifecycle
import Server
import Store
import Wire

/// Tells owners of certificates that end, of those that have ended, and of keys that Apple refuses: once each, and once
/// more when it was well in between.
struct CredentialNotices: Sendable {
  let sender: BellSender

  func tell() async throws(HTTPError) {
    let hub = sender.hub
    let now = hub.time.now
    let isDue = try await hub.read { database throws(StoreError) -> Bool in
      // Whoever becomes the first owner is told then.
      if try database.personIDs(with: .manage).isEmpty { return false }
      let names = try Self.troubles(database, now: now).map(\.name)
      return try database.toldTroubles() != Set(names)
    }
    guard isDue else { return }
    try await hub.commit(as: .room(BellsRoom.id)) { change in
      let troubles = try Self.troubles(change.database, now: now)
      let told = try change.database.toldTroubles()
      let owners = try change.database.personIDs(with: .manage).map(Recipient.person)
      for trouble in troubles where !told.contains(trouble.name) {
        try sender.ring(trouble.bell, to: owners, in: change)
      }
      try change.database.replaceToldTroubles(with: troubles.map(\.name))
    }
  }

  private struct Trouble {
    /// The certificate or key.
    var about: String
    /// The stage of its end, or Apple's reason.
    var what: String
    var bell: Bell
    var name: String { "\(about) \(what)" }
  }

  private static func troubles(_ database: Database, now: Double) throws(StoreError) -> [Trouble] {
    var troubles: [Trouble] = []
    for provider in try database.providers() {
      guard let end = provider.end, end - now < APNsLimits.warningDays * 86_400 else { continue }
      troubles.append(
        ending(
          "provider \(provider.name)", Bell.Words("Push sender \(provider.name)", german: "Absender \(provider.name)"),
          at: end, now: now))
    }
    for kept in try database.appleAccounts() {
      let about = "apple \(kept.account.name)"
      if let end = kept.account.end, end - now < APNsSenderLimits.warningDays * 86_400 {
        let title = Bell.Words("Apple's certificate \(kept.account.id)", german: "Apples Zertifikat \(kept.account.id)")
        troubles.append(ending(about, title, at: end, now: now))
      } else if let failure = kept.failure, failure.hasPrefix("403 ") {
        let title = Bell.Words("Apple's key \(kept.account.name)", german: "Apples Schlüssel \(kept.account.name)")
        let body = Bell.Words(
          "Apple refuses it (\(failure)), so its apps are not rung. “eightbells doctor” says what to do.",
          german: "Apple lehnt ihn ab (\(failure)); seine Apps läuten nicht. „eightbells doctor“ sagt, was zu tun ist.")
        troubles.append(Trouble(about: about, what: failure, bell: bell(about, title, body)))
      }
    }
    return troubles
  }

  private static func ending(_ about: String, _ title: Bell.Words, at end: Double, now: Double) -> Trouble {
    let day = Bell.Words.day(Int(end))
    let body =
      end <= now
      ? Bell.Words(
        "Its certificate ended on \(day.english): nothing is delivered by it any more.",
        german: "Das Zertifikat ist am \(day.german) abgelaufen: Darüber kommt nichts mehr an.")
      : Bell.Words(
        "Its certificate ends on \(day.english). “eightbells doctor” says how to replace it.",
        german: "Das Zertifikat läuft am \(day.german) ab. „eightbells doctor“ sagt, wie es ersetzt wird.")
    return Trouble(about: about, what: end <= now ? "ended" : "ends", bell: bell(about, title, body))
  }

  private static func bell(_ about: String, _ title: Bell.Words, _ body: Bell.Words) -> Bell {
    Bell(
      to: .null, title: title, body: body, thread: "certificates", collapseID: about, lifetime: BellsLimits.lifetime)
  }
}
