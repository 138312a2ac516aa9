import Delivery
import Hub
import Server
import Store
import Webhooks
import Wire

/// Tells those who connect webhooks of one that takes nothing, once for each time that one stops working.
struct WebhookNotices: Sendable {
  let sender: BellSender

  func tell() async throws(HTTPError) {
    let hub = sender.hub
    let isDue = try await hub.read { database throws(StoreError) in try !database.webhooksToTell().isEmpty }
    guard isDue else { return }
    try await hub.commit(as: .room(BellsRoom.id)) { change in
      let owners = try change.database.personIDs(with: .hooks).map(Recipient.person)
      for webhook in try change.database.webhooksToTell() {
        if !owners.isEmpty { try sender.ring(Self.bell(webhook), to: owners, in: change) }
        try change.database.toldOfWebhook(webhook.device)
      }
    }
  }

  private static func bell(_ webhook: Webhook) -> Bell {
    // As the store has it: "webhook_answer: 503".
    let failure = (webhook.failure ?? "").split(separator: ":", maxSplits: 1)
    let reason = failure.first.flatMap { DeliveryReason(rawValue: String($0)) } ?? .webhookAnswer
    let why = reason.words(failure.dropFirst().first.map { String($0.dropFirst()) })
    let body =
      webhook.state == .ended
      ? Bell.Words(
        "Its server wants no more notifications, so it gets none any more.",
        german: "Sein Server möchte keine Mitteilungen mehr und bekommt nun keine mehr.")
      : Bell.Words(
        "Notifications do not arrive there (\(why.english)). Those that were tried for three days are given up.",
        german:
          "Mitteilungen kommen dort nicht an (\(why.german)). Was drei Tage lang versucht wurde, ist aufgegeben.")
    return Bell(
      to: .null, title: Bell.Words("Webhook \(webhook.name)", german: "Webhook \(webhook.name)"), body: body,
      thread: "webhooks", collapseID: "webhook-\(webhook.device)", lifetime: BellsLimits.lifetime)
  }
}
