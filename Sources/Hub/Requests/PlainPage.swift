public import Server
import Wire

/// A page behind a link in a mail: a title, a sentence, and perhaps a form. It works without a script, and to open it
/// changes nothing, since programs that look at links press nothing.
public struct PlainPage: Sendable {
  private let language, title, form: String
  /// The sentence below the title.
  public var text: String

  /// - Parameters:
  ///   - language: of the words, such as `de`.
  ///   - fields: markup in the form, before its button.
  ///   - button: its words; nil for a page that only says something.
  public init(language: String, title: String, text: String = "", fields: String = "", button: String? = nil) {
    (self.language, self.title, self.text) = (language, title, text)
    form = button.map { "<form method=\"post\">\(fields)<button>\($0.escapedForMarkup)</button></form>" } ?? ""
  }

  /// The colours and sizes of the other pages (shell.css), whose style sheet it does without.
  private static let style = """
    :root{--paper:#f4f1ea;--surface:#fffdf8;--ink:#12283b;--edge:#7c8892;--link:#0b5585;--on:#fff}
    @media(prefers-color-scheme:dark){:root{--paper:#0b1722;--surface:#122334;--ink:#e8eef3;--edge:#6d8194;
    --link:#8ccaf5;--on:#0b1722}}
    body{background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui;margin:0;padding:1.25rem}
    header,main{max-width:32rem;margin:0 auto 2rem}h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.015em}
    header a{display:inline-block;padding:.75rem 0;color:inherit;font-weight:700;text-decoration:none}
    p:empty,footer:empty{display:none}footer{max-width:32rem;margin:0 auto;font-size:.875rem}
    footer a{display:inline-block;padding:.75rem 1rem .75rem 0}a{color:var(--link)}
    button,.button,input{font:inherit;min-height:3rem;padding:.5rem 1.25rem;max-width:100%;box-sizing:border-box}
    button,.button{border:0;border-radius:999px;background:var(--link);color:var(--on);font-weight:600}
    .button{display:inline-grid;place-items:center;text-decoration:none}
    input{border:1.5px solid var(--edge);border-radius:.625rem;background:var(--surface);color:var(--ink)}
    :focus-visible{outline:3px solid var(--link);outline-offset:3px}
    """

  /// The page, with the hub's name above it and the owner's addresses at its foot.
  public func response(of hub: Hub, status: Int = 200) -> Response {
    let isGerman = language == "de"
    let legal = hub.place.current?.legalLinks(isGerman: isGerman) ?? ""
    let name = (hub.place.current?.name ?? "Eightbells").escapedForMarkup
    // The one thing to do, where the page asks for nothing.
    let look = form.isEmpty ? " class=\"button\"" : ""
    let page = """
      <!doctype html>
      <html lang="\(language)">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>\(title.escapedForMarkup) · \(name)</title>
      <style>\(Self.style)</style>
      <header><a href="/">\(name)</a></header>
      <main>
      <h1>\(title.escapedForMarkup)</h1>
      <p>\(text.escapedForMarkup)</p>
      \(form)
      <p><a\(look) href="/">\(isGerman ? "Zur Startseite" : "To the front page")</a></p>
      </main>
      <footer>\(legal)</footer>
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
