import Hub
import Wire

extension PlainPage {
  /// - Parameter asksForPassword: asks for a new password above the button.
  init(_ words: AccountWords, title: String, text: String = "", button: String? = nil, asksForPassword: Bool = false) {
    let field = """
      <p><label>\(words.password.escapedForMarkup)<br>
      <input type="password" name="password" autocomplete="new-password" maxlength="\(AppsLimits.passwordBytes)" \
      required autofocus></label></p>
      """
    self.init(language: words.language, title: title, text: text, fields: asksForPassword ? field : "", button: button)
  }
}
