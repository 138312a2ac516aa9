import Delivery
import Hub
import Mail
import Wire

/// Tells owners that the mail server takes no mails, once for each time that it begins: else only the log would, and
/// whoever counts on mail does not see that none comes.
final class MailNotice: Sendable {
  private let notice: OwnerNotice

  init(sender: BellSender) { notice = OwnerNotice(sender: sender) }

  func tell(_ silence: MailChannel.Silence?) async throws {
    let why = silence.map { $0.reason.words($0.detail) }
    try await tell(silentFor: silence?.seconds ?? 0, Bell.Words(why?.english ?? "", german: why?.german ?? ""))
  }

  /// - Parameter seconds: over which it has taken none.
  func tell(silentFor seconds: Double, _ why: Bell.Words) async throws {
    guard seconds >= BellsLimits.mailSilence else { return notice.end() }
    try await notice.tell(Self.bell(why))
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
