import Delivery
import Hub
import Server
import Store
import Webhooks
import Wire

/// Tells those who connect webhooks of one that takes nothing, once for each time that one stops working.
struct WebhookNotices: Sendable {
  let sender: BellSender
  let language: BellLanguage

  func tell() async throws(HTTPError) {
    let hub = sender.hub
    let isDue = try await hub.read { database throws(StoreError) in try !database.webhooksToTell().isEmpty }
    guard isDue else { return }
    try await hub.commit(as: .room(BellsRoom.id)) { change in
      let owners = try change.database.personIDs(with: .hooks).map(Recipient.person)
      for webhook in try change.database.webhooksToTell() {
        if !owners.isEmpty {
          _ = try sender.submit(
            Submission(
              to: owners, content: Self.bell(webhook).content(in: language), collapseID: "webhook-\(webhook.device)",
              expiresAt: change.now + BellsLimits.lifetime, sender: "room \(BellsRoom.id)"), in: change)
        }
        try change.database.toldOfWebhook(webhook.device)
      }
    }
  }

  private static func bell(_ webhook: Webhook) -> Bell {
    let failure = webhook.failure ?? ""
    let body =
      webhook.state == .ended
      ? Bell.Words(
        "Its server wants no more notifications, so it gets none any more.",
        german: "Sein Server möchte keine Mitteilungen mehr und bekommt nun keine mehr.")
      : Bell.Words(
        "Its server does not take notifications (\(failure)). Those that were tried for three days are given up.",
        german:
          "Sein Server nimmt keine Mitteilungen an (\(failure)). Was drei Tage lang versucht wurde, ist aufgegeben.")
    return Bell(
      to: .null, title: Bell.Words("Webhook \(webhook.name)", german: "Webhook \(webhook.name)"), body: body,
      thread: "webhooks")
  }
}
