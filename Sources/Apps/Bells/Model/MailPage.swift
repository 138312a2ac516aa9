import Hub
import Server
import Wire

/// The words of mails and of the pages that they lead to.
struct MailWords {
  private let isGerman: Bool

  init(_ isGerman: Bool) { self.isGerman = isGerman }

  var language: String { isGerman ? "de" : "en" }
  var confirmTitle: String { isGerman ? "Ist das deine Adresse?" : "Is this your address?" }
  var confirmButton: String { isGerman ? "Ja, hierher" : "Yes, mail me here" }
  func confirmBody(_ name: String) -> String {
    isGerman
      ? "Jemand möchte von \(name) hierher benachrichtigt werden. Wenn du das nicht warst, tu nichts."
      : "Somebody wants to be notified here by \(name). If that was not you, do nothing."
  }
  var confirmed: String { isGerman ? "Von jetzt an bekommst du hier Mails." : "From now on you get mails here." }
  var unknown: String { isGerman ? "Diesen Link gibt es nicht." : "There is no such link." }
  var expired: String { isGerman ? "Dieser Link gilt nicht mehr." : "This link is not good any more." }
  var over: String {
    isGerman
      ? "Das ist vorbei: Jemand hat geantwortet, oder die Zeit ist um."
      : "This is over: somebody has answered, or its time has passed."
  }
  var done: String { isGerman ? "Angekommen." : "Done." }
}

/// A page that asks, and works without a script.
struct MailPage {
  let words: MailWords
  let title: String
  let text: String
  let button: String?

  init(_ words: MailWords, title: String, text: String = "", button: String? = nil) {
    (self.words, self.title, self.text, self.button) = (words, title, text, button)
  }

  func response(status: Int = 200) -> Response {
    let form = button.map { "<form method=\"post\"><button>\($0.escapedForMarkup)</button></form>" } ?? ""
    let page = """
      <!doctype html>
      <html lang="\(words.language)">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>\(title.escapedForMarkup)</title>
      <style>body{font:1.1rem/1.5 system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem}
      button{font:inherit;padding:.7rem 1.4rem}</style>
      <h1>\(title.escapedForMarkup)</h1>
      <p>\(text.escapedForMarkup)</p>
      \(form)
      </html>

      """
    return Response(
      status: status, contentType: "text/html; charset=utf-8", body: .bytes(Array(page.utf8)),
      fields: [
        .init(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"),
        .init("Referrer-Policy", "no-referrer"),
      ]
    ).notStored()
  }
}
