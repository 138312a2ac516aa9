import Delivery
import Foundation
import Mail
import Testing
import Wire

/// Mails as they are handed over, and the links in them.
struct MailTextTests {
  static let address = MailAddress("ada@example.org")!

  static func mail(
    subject: String = "Open", name: String = "Harbour", plain: String = "Hello", thread: String? = nil
  ) -> [String] {
    let mail = MailText(
      from: MailAddress("bells@hub.example")!, fromName: name, to: address, subject: subject, plain: plain,
      html: "<p>\(plain)</p>", id: "12.7", thread: thread, date: 1_795_200_000)
    return String(decoding: mail.bytes, as: UTF8.self).components(separatedBy: "\r\n")
  }

  @Test func `a mail has what mail programs want`() {
    let lines = Self.mail(thread: "sign")
    for line in [
      "From: Harbour <bells@hub.example>", "To: <ada@example.org>", "Subject: Open",
      "Date: 20 Nov 2026 18:40:00 +0000", "Message-ID: <12.7@hub.example>", "MIME-Version: 1.0",
      "Auto-Submitted: auto-generated", "Content-Type: text/plain; charset=utf-8",
      "Content-Type: text/html; charset=utf-8", Data("Hello".utf8).base64EncodedString(),
    ] {
      #expect(lines.contains(line), "\(lines)")
    }
    #expect(lines.contains { $0.hasPrefix("References: <thread-") })
  }

  @Test func `an answer goes where the mail says, if it says so`() {
    var mail = MailText(
      from: MailAddress("bells@hub.example")!, fromName: "", to: Self.address, subject: "Open", plain: "", html: "",
      id: "1", date: 0)
    #expect(!String(decoding: mail.bytes, as: UTF8.self).contains("Reply-To"))
    mail.replyTo = MailAddress("ben@example.org")
    #expect(String(decoding: mail.bytes, as: UTF8.self).contains("\r\nReply-To: <ben@example.org>\r\n"))
  }

  @Test(arguments: [
    "Open\r\nBcc: eve@example.org", "Open\nBcc: eve@example.org", "Open\r\n\r\nBcc: eve@example.org",
    "Open\u{85}Bcc: eve@example.org", "Open\u{2028}Bcc: eve@example.org", "Open\u{0}Bcc: eve@example.org",
  ])
  func `no text can become a header`(text: String) {
    let lines = Self.mail(subject: text, name: text, plain: text, thread: text)
    let names = lines.prefix { !$0.isEmpty }.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
    #expect(
      names == [
        "From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted", "MIME-Version",
        "Content-Type",
      ])
    #expect(lines.contains("Subject: Open Bcc: eve@example.org"))
    #expect(!lines.contains { $0.hasPrefix("Bcc") })
  }

  @Test func `what is not plain ASCII is encoded, in lines that are short enough`() throws {
    let subject = String(repeating: "Größe 👩‍👩‍👧 ", count: 20)
    let lines = Self.mail(subject: subject, name: "Hafen “Süd”", plain: String(repeating: "ö", count: 5_000))
    #expect(lines.allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { (32...126).contains($0) } })
    let first = try #require(lines.firstIndex { $0.hasPrefix("Subject: ") })
    let words = lines[first...].prefix { $0.hasPrefix("Subject: ") || $0.hasPrefix(" ") }
      .map { $0.replacingOccurrences(of: "Subject:", with: "").trimmingCharacters(in: .whitespaces) }
    let decoded = words.map { word in
      Data(base64Encoded: String(word.dropFirst(10).dropLast(2))).map { String(decoding: $0, as: UTF8.self) } ?? "?"
    }
    #expect(decoded.joined() == subject.trimmingCharacters(in: .whitespaces))
  }

  @Test(arguments: [
    ("ada@example.org", true), ("a.b+c@x-y.example", true), ("ada@localhost", true), ("", false), ("ada", false),
    ("@example.org", false), ("ada@", false), ("a@b@c", false), ("a b@c.d", false), ("ada@example.org\r\nDATA", false),
    ("<ada@example.org>", false), ("a..b@c.d", false), (".a@c.d", false), ("a@-c.d", false), ("a@c..d", false),
    ("ädä@example.org", false), ("a@exämple.org", true), ("a@ä%62.de", false), ("a@ä..de", false), ("a@ä b.de", false),
    ("a@ä\0.de", false), ("a,b@c.d", false),
    (String(repeating: "a", count: 65) + "@c.d", false),
  ])
  func `an address is one that can be written to`(text: String, isOne: Bool) {
    #expect((MailAddress(text) != nil) == isOne)
  }

  @Test(arguments: [
    ("info@MÜLLER.example", "info@xn--mller-kva.example"), ("a@straße.例え.jp", "a@xn--strae-oqa.xn--r8jz45g.jp"),
  ])
  func `a domain beyond ASCII is sent in Punycode`(text: String, sent: String) {
    #expect(MailAddress(text)?.text == sent)
  }

  @Test(arguments: [
    ("smtp://mail.example:587", "smtp://mail.example:587", nil),
    ("smtps://a@b.c@mail.example", "smtps://mail.example", "a@b.c"),
    ("smtp://a%40b.c@mail.example", "smtp://mail.example", "a@b.c"),
    ("smtp://a%b.c@mail.example", "smtp://mail.example", "a%b.c"),
    ("smtp://ada@127.0.0.1:25/", "smtp://127.0.0.1:25", "ada"),
  ])
  func `a mail server is read`(text: String, url: String, user: String?) throws {
    let server = try #require(MailServer(text))
    #expect(server.url == url && server.user == user)
  }

  @Test(arguments: [
    "", "smtp://", "http://mail.example", "smtp://a:b@mail.example", "smtp://mail.example/x", "smtp://@m",
  ])
  func `what is no mail server is refused`(text: String) { #expect(MailServer(text) == nil) }

  @Test func `a link is what it was signed for, and nothing else`() throws {
    let links = MailLinks(key: Array(repeating: 7, count: 32))
    for purpose in [
      MailLinks.Purpose.confirm(askedAt: 1_795_200_000), .act(notification: 1_795_200_000_123_456, action: 3),
    ] {
      let link = MailLinks.Link(purpose: purpose, device: 70_000, expiresAt: 1_795_300_000)
      let token = links.token(link)
      #expect(links.link(token) == link)
      #expect(MailLinks(key: Array(repeating: 8, count: 32)).link(token) == nil)
      for place in token.indices {
        var changed = token
        changed.replaceSubrange(place...place, with: token[place] == "A" ? "B" : "A")
        #expect(links.link(changed) == nil)
      }
    }
    for text in ["", "x", String(repeating: "A", count: 48), String(repeating: "ä", count: 24)] {
      #expect(links.link(text) == nil)
    }
  }

  @Test func `words are escaped in HTML, and addresses of the hub are whole`() {
    let content = MailContent(
      [
        .init(
          content: ["title": "<b>", "body": "a & \"b\"\nc", "url": "/bells/1"], links: [("Go <", "https://h/x?a=1&b")]),
        .init(content: ["title": "second", "attachments": [["id": "photo", "url": "/p.jpg"]]], links: []),
      ], hub: "https://hub.example", page: "/list")
    #expect(content.subject == "second (+1)")
    #expect(content.html.contains("<h2>&lt;b&gt;</h2><p>a &amp; &quot;b&quot;<br>c</p>"))
    #expect(content.html.contains("<a href=\"https://h/x?a=1&amp;b\">Go &lt;</a>"))
    #expect(content.html.contains("https://hub.example/bells/1") && content.plain.contains("Go <: https://h/x?a=1&b"))
    #expect(content.plain.contains("photo: https://hub.example/p.jpg"))
    let untitled = MailContent([.init(content: ["title": "", "subtitle": "under"], links: [])], hub: "", page: "")
    #expect(untitled.subject == "under")
  }

  @Test(arguments: [
    (421, true), (450, true), (452, true), (535, true), (530, true), (550, false), (552, false), (554, false),
  ])
  func `a refusal is for now, or for this mail`(status: Int, isTriedAgain: Bool) {
    #expect(Outcome(refusal: status, ofMail: false) == .retry(.mailServer, detail: "\(status)"))
    let outcome = Outcome(refusal: status, ofMail: true)
    if isTriedAgain {
      #expect(outcome == .retry(.mailServer, detail: "\(status)"))
    } else {
      #expect(outcome == .failed(.mailServer, detail: "\(status)"))
    }
  }
}
