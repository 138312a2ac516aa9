import Delivery
import Hub
import Lifecycle
import Mail
import Server
import Store
import Wire

/// Mails that are no notifications, such as the one that confirms an address. They are handed over once.
struct OfferedMailer: Mailer {
  let hub: Hub
  let sender: MailSender

  func send(_ mail: RoomMail) async throws(HTTPError) {
    guard let address = MailAddress(mail.to) else {
      throw HTTPError(.invalidField, "There is no e-mail address.", help: "One such as ada@example.org is accepted.")
    }
    let place = await Mailing.place(hub)
    let content = MailContent(
      [
        .init(
          content: ["title": .string(mail.title), "body": .string(mail.body)], links: [(mail.link, mail.url)])
      ],
      // Clients, and users of apps, have no notifications here.
      hub: place.url, page: "")
    var text = MailText(
      from: sender.from, fromName: place.name, to: address, subject: content.subject, plain: content.plain,
      html: content.html, id: mail.id, date: hub.time.now)
    if let writer = mail.writer {
      let mailbox = try await hub.read { database throws(StoreError) in try database.mailbox(ofPerson: writer) }
      text.replyTo = mailbox?.isConfirmed == true ? mailbox?.address : nil
    }
    if let design = mail.design {
      text.html = design.html
      text.pictures = design.pictures.map { MailText.Picture(id: $0.id, jpeg: $0.jpeg) }
    }
    let outcome: Outcome
    do throws(CancellationError) { outcome = try await sender.send(text) } catch { throw HTTPError.mailNotSent("") }
    switch outcome {
    case .sent: return
    case .retry(_, _, let detail), .failed(_, let detail): throw HTTPError.mailNotSent(detail ?? "")
    case .later, .suppressed, .gone: throw HTTPError.mailNotSent("")
    }
  }
}

extension HTTPError {
  static func mailNotSent(_ detail: String) -> HTTPError {
    HTTPError(
      .mailNotSent, "The mail server did not take the e-mail" + (detail.isEmpty ? "." : ": \(detail)."),
      help: "Try it again later, or look at the address.")
  }
}
