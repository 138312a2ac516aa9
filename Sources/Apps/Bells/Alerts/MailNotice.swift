import Delivery
import Hub
import Mail
import Store
import Synchronization
import Wire

/// Tells owners that the mail server takes no mails, once for each time that it begins: else only the log would, and
/// whoever counts on mail does not see that none comes.
final class MailNotice: Sendable {
  private let sender: BellSender
  private let isTold = Mutex(false)

  init(sender: BellSender) { self.sender = sender }

  func tell(_ silence: MailChannel.Silence?) async throws {
    let why = silence.map { $0.reason.words($0.detail) }
    try await tell(silentFor: silence?.seconds ?? 0, Bell.Words(why?.english ?? "", german: why?.german ?? ""))
  }

  /// - Parameter seconds: over which it has taken none.
  func tell(silentFor seconds: Double, _ why: Bell.Words) async throws {
    guard seconds >= BellsLimits.mailSilence else { return isTold.withLock { $0 = false } }
    guard !isTold.withLock({ $0 }) else { return }
    let told = try await sender.hub.commit(as: .room(BellsRoom.id)) { [sender] change in
      // Whoever becomes the first owner is told then.
      let owners = try change.database.personIDs(with: .manage).map(Recipient.person)
      if owners.isEmpty { return false }
      try sender.ring(Self.bell(why), to: owners, in: change)
      return true
    }
    isTold.withLock { $0 = told }
  }

  private static func bell(_ why: Bell.Words) -> Bell {
    Bell(
      to: .null,
      title: Bell.Words("No mail goes out", german: "Es gehen keine E-Mails hinaus"),
      body: Bell.Words(
        "Tried for an hour in vain: \(why.english). It is tried on; “eightbells doctor” says what to do.",
        german: "Seit einer Stunde vergeblich versucht: \(why.german). Es wird weiter versucht; „eightbells doctor“ "
          + "sagt, was zu tun ist."),
      thread: "mail", collapseID: "mail", lifetime: BellsLimits.lifetime)
  }
}
