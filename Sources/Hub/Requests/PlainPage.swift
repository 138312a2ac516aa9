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

  public func response(status: Int = 200) -> Response {
    let page = """
      <!doctype html>
      <html lang="\(language)">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>\(title.escapedForMarkup)</title>
      <style>body{font:1.1rem/1.5 system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem}
      button,input{font:inherit;padding:.7rem 1.4rem;max-width:100%;box-sizing:border-box}</style>
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
