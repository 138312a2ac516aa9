import Galleries
import Hub
import Lifecycle
import Store
import Wire

/// The mail to a client: some pictures, the title, the letter, and the link. A PIN is never in it.
struct SentLetter: Sendable {
  /// Pictures in a row.
  private static let row = 3

  private let sent: SentPortfolio
  private let from: String
  private let count: Int
  private let pictures: [PortfolioPicture]

  /// - Parameter from: the photographer's name; may be empty.
  init(_ database: Database, _ sent: SentPortfolio, from: String) throws(StoreError) {
    self.sent = sent
    self.from = from
    let all = try database.pictures(sent: sent.id).map(\.picture)
    count = all.count
    // Without private ones: a mail cannot be taken back.
    pictures = Array(all.filter { !$0.source.isPrivate }.prefix(Self.row))
  }

  func isOpen(at now: Double) -> Bool { sent.isOpen(at: now) }

  /// The mail, without a recipient.
  /// - Parameter address: the hub's.
  func mail(_ hub: Hub, at address: String, isGerman: Bool) async -> RoomMail {
    var inline: [RoomMail.Picture] = []
    for picture in pictures {
      guard case .bytes(let bytes) = await Self.content(of: picture, hub)?.body else { continue }
      inline.append(RoomMail.Picture(id: picture.address, jpeg: bytes))
    }
    let words = SentWords(isGerman: isGerman)
    let who = from.isEmpty ? words.somebody : from
    var mail = RoomMail(
      to: "", title: words.subject(sent.title, who), body: sent.text, link: words.look(count),
      url: address + sent.path, id: "portfolio.\(sent.id).\(Int(hub.time.now))")
    mail.design = RoomMail.Design(html: html(mail, words, inline, who), pictures: inline)
    return mail
  }

  private static func content(of picture: PortfolioPicture, _ hub: Hub) async -> BlobContent? {
    let name = PortfolioPicture.blob("\(PortfolioLimits.sizes[0])", picture.address)
    do throws(StoreError) {
      return try await hub.store.blobs.content(of: name)
    } catch {
      return nil
    }
  }

  /// Tables and styles in place, as mail programs understand them; colours that bear being turned dark.
  private func html(_ mail: RoomMail, _ words: SentWords, _ inline: [RoomMail.Picture], _ who: String) -> String {
    let cells = inline.map { picture in
      "<td style=\"padding:0 3px\" valign=\"middle\"><img src=\"cid:\(picture.id)\" width=\"170\" alt=\"\" "
        + "style=\"display:block;width:100%;max-width:170px;height:auto;border:0\"></td>"
    }
    let paragraphs = sent.text.split(separator: "\n", omittingEmptySubsequences: false).map(\.escapedLine)
    let letter = paragraphs.joined(separator: "<br>")
    var notes = [words.noAccount]
    if !sent.pin.isEmpty { notes.append(words.hasPIN) }
    let url = mail.url.escapedForMarkup
    return """
      <!doctype html><html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
      <body style="margin:0;padding:24px 8px;background:#f6f4ef;font-family:Georgia,serif;color:#1c1b19">
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
      <table role="presentation" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff">
      <tr><td style="padding:24px 21px 8px"><table role="presentation" cellpadding="0" cellspacing="0"><tr>
      \(cells.joined(separator: "\n"))</tr></table></td></tr>
      <tr><td style="padding:16px 24px 0;font-size:14px;color:#6b675f">\(who.escapedForMarkup)</td></tr>
      <tr><td style="padding:4px 24px 0;font-size:28px;line-height:34px">\(sent.title.escapedForMarkup)</td></tr>
      <tr><td style="padding:16px 24px 0;font-size:16px;line-height:25px">\(letter)</td></tr>
      <tr><td style="padding:24px"><a href="\(url)" style="display:inline-block;padding:13px 24px;background:#1c1b19;
      color:#ffffff;font-size:16px;text-decoration:none;border-radius:4px">\(mail.link.escapedForMarkup)</a></td></tr>
      <tr><td style="padding:0 24px 24px;font-size:13px;line-height:20px;color:#6b675f">
      \(notes.joined(separator: " ").escapedForMarkup)<br><a href="\(url)" style="color:#6b675f">\(url)</a></td></tr>
      </table></td></tr></table></body></html>
      """
  }
}

extension Substring {
  fileprivate var escapedLine: String { String(self).escapedForMarkup }
}

/// The words of the mail.
private struct SentWords {
  let isGerman: Bool

  var somebody: String { isGerman ? "Bilder für dich" : "Pictures for you" }
  func subject(_ title: String, _ who: String) -> String { "\(title) – \(who)" }
  func look(_ count: Int) -> String {
    switch (isGerman, count) {
    case (true, 1): "Das Bild ansehen"
    case (true, _): "\(count) Bilder ansehen"
    case (false, 1): "Look at the picture"
    case (false, _): "Look at \(count) pictures"
    }
  }
  var noAccount: String {
    isGerman
      ? "Ohne Konto, auf jedem Gerät, und danach auch ohne Netz." : "No account, on any device, and offline afterwards."
  }
  var hasPIN: String {
    isGerman
      ? "Der Link fragt nach einer PIN; du bekommst sie auf anderem Weg."
      : "The link asks for a PIN, which comes to you separately."
  }
}
