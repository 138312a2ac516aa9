import Crypto
import Hub
import Lifecycle
import Objects
import Server
import Store
import Wire

/// The pages behind the links in mails to users of apps.
struct AccountRoutes: Sendable {
  let objects: AppObjects
  let register: AppRegister

  func add(to router: inout Router) {
    for method in [Method.get, .post] {
      router.on(
        method, "\(AccountMails.path){token}", rate: .questions,
        .task { request throws(HTTPError) in try await follow(request, isPressed: method == .post) })
    }
  }

  private func follow(_ request: Request, isPressed: Bool) async throws(HTTPError) -> Response {
    let isGerman = request.isGerman
    let digest = AccountMail.digest(of: request.parameters["token"] ?? "")
    let now = objects.hub.time.now
    let link = try await objects.hub.read { database throws(StoreError) in try database.account(digest, now: now) }
    guard let link, let app = register.app(link.app), app.options.isEnabled,
      let user = try await objects.read(app, as: .master, { try $0.user(link.user) })
    else {
      let words = AccountWords(isGerman: isGerman, app: "", name: "")
      return PlainPage(words, title: words.ended).response(of: objects.hub, status: 410)
    }
    let words = AccountWords(isGerman: isGerman, app: app.name, name: user["username"]?.string ?? "")
    // Whoever presses twice, or opens the mail again, has done it.
    if link.purpose == .verify, user["emailVerified"]?.bool == true {
      return PlainPage(words, title: words.done(.verify)).response(of: objects.hub)
    }
    var asking = PlainPage(
      words, title: words.title(link.purpose),
      text: link.purpose == .verify ? user["email"]?.string ?? "" : "",
      button: link.purpose == .verify ? words.button(.verify) : words.save,
      asksForPassword: link.purpose == .newPassword)
    guard isPressed else { return asking.response(of: objects.hub) }
    var edit = ObjectEdit()
    var passwords: [String: PasswordHash] = [:]
    switch link.purpose {
    case .verify: edit.set("emailVerified", .set(true))
    case .newPassword:
      let password = request.form["password"] ?? ""
      guard (1...AppsLimits.passwordBytes).contains(password.utf8.count) else {
        asking.text = words.tooLong
        return asking.response(of: objects.hub, status: 400)
      }
      guard let hash = await objects.passwordWork.run(for: request.peer, { PasswordHash(of: password) }) else {
        asking.text = words.busy
        return asking.response(of: objects.hub, status: 503)
      }
      passwords[password] = hash
      edit.set("password", .set(.string(password)))
    }
    let isDone = try await objects.write(app, as: .master, passwords: passwords) { [edit] writer in
      // Another press may have come first.
      guard let link = try writer.database.account(digest, now: writer.change.now) else { return false }
      _ = try writer.update("_User", link.user, edit)
      return true
    }
    guard isDone else { return PlainPage(words, title: words.ended).response(of: objects.hub, status: 410) }
    return PlainPage(words, title: words.done(link.purpose)).response(of: objects.hub)
  }
}

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
