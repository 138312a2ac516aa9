import Hub
import Server
import Wire

/// The page behind a link in a mail to an app's user. It works without a script, and to open it changes nothing:
/// programs that look at links press nothing.
struct AccountPage {
  let words: AccountWords
  var title: String
  var text = ""
  /// The words of the button; nil for a page that only says something.
  var button: String?
  var asksForPassword = false

  func response(status: Int = 200) -> Response {
    let field =
      asksForPassword
      ? """
      <p><label>\(words.password.escapedForMarkup)<br>
      <input type="password" name="password" autocomplete="new-password" maxlength="\(AppsLimits.passwordBytes)" \
      required autofocus></label></p>
      """ : ""
    let form =
      button.map { "<form method=\"post\">\(field)<button>\($0.escapedForMarkup)</button></form>" } ?? ""
    let page = """
      <!doctype html>
      <html lang="\(words.language)">
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
