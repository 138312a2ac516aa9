import Crypto
import EventLoop
import Hub
import Lifecycle
import Objects
import Observe
import Realtime
import Server
import Store
import Wire

/// A mail to a user of an app, with a link that is good for a while. It waits until the mail server has taken it.
struct AccountMail: Sendable {
  enum Purpose: String, Sendable {
    /// Asks whether the address is the user's.
    case verify
    /// Lets the user choose a new password.
    case newPassword

    var seconds: Double {
      self == .verify ? AppsLimits.verifySeconds : AppsLimits.newPasswordSeconds
    }
  }
  var number = 0
  var app: Int
  /// The number of the user's object.
  var person: Int
  var purpose: Purpose
  var to: String
  /// The user's name.
  var name: String
  var isGerman: Bool
  /// Seconds since 1970.
  var madeAt: Double
  /// The attempts so far.
  var attempts = 0

  /// The store has this of the secret in a link.
  static func digest(of token: String) -> [UInt8] { Digest.sha256(token.utf8) }
}

/// The mails to users of apps. They are written in the commit that asks for them and sent one after the other, by a
/// task of their own: nobody learns by the time that an answer takes whether there is a user with an address, and one
/// that the mail server does not take is tried again.
final class AccountMails: Sendable {
  static let path = "/apps/account/"

  private let hub: Hub
  private let asked: TokenBuckets<String>
  private let ofApps: TokenBuckets<Int>
  private let poller: Poller

  private let console: @Sendable (_ app: String, ConsoleEntry) -> Void

  /// - Parameter console: is told what was given up.
  init(_ hub: Hub, console: @escaping @Sendable (_ app: String, ConsoleEntry) -> Void = { _, _ in }) {
    (self.hub, self.console) = (hub, console)
    asked = TokenBuckets(most: AppsLimits.mailAddresses, for: 3_600, time: hub.time)
    ofApps = TokenBuckets(most: AppsLimits.apps, for: 3_600, time: hub.time)
    poller = Poller(hub.loop)
  }

  /// True if the hub can send mail.
  var arePossible: Bool { hub.offers[.mailer] != nil }

  /// Counts a mail that somebody asks for to an address.
  /// - Returns: false if too many were asked for already.
  func mayAsk(_ address: String, of app: App) -> Bool {
    asked.take("\(app.id) \(address.lowercased())", AppsLimits.mailsToAddress) == nil
  }

  /// Sends a mail once the change is on the disk, unless the app has sent too many.
  func send(_ purpose: AccountMail.Purpose, to user: StoredObject, isGerman: Bool, in writer: ObjectWriter) throws {
    guard let address = user["email"]?.string, let row = try writer.database.user(.id(user.id), of: writer.app.id)
    else {
      return
    }
    let id = writer.app.id
    guard ofApps.take(id, AppsLimits.mailsOfApp) == nil,
      try writer.database.mailCount(of: id) < AppsLimits.mailsWaiting
    else { return hub.log.warning("a mail to an app's user was not sent: there are too many", ["app": "\(id)"]) }
    try writer.database.add(
      AccountMail(
        app: id, person: row.object, purpose: purpose, to: address, name: user["username"]?.string ?? "",
        isGerman: isGerman, madeAt: writer.change.now))
    writer.database.touch(.letters)
    writer.change.then { [poller] in poller.wake() }
  }

  /// Asks a new user, or one with another address, whether it is theirs, if the app's owner wants that.
  func askWhether(_ user: StoredObject, isGerman: Bool, in writer: ObjectWriter) throws {
    guard writer.app.options.verifiesEmails, arePossible, let address = user["email"]?.string,
      mayAsk(address, of: writer.app)
    else { return }
    try send(.verify, to: user, isGerman: isGerman, in: writer)
  }

  func wake() { poller.wake() }

  /// Sends what waits, also from before a restart, until the task is cancelled.
  func run() async throws {
    try await poller.run { [self] in
      while true {
        guard let (mail, at) = try await hub.store.read({ database throws(StoreError) in try database.nextMail() })
        else { return nil }
        guard at <= hub.time.now else { return at - hub.time.now }
        try await send(mail)
      }
    }
  }

  private func send(_ mail: AccountMail) async throws {
    let now = hub.time.now
    let token = Digest.hex(Digest.random(20))
    // The link is kept before the mail goes, so that it is good when it is pressed.
    let app = try await hub.store.write { database throws(StoreError) -> App? in
      guard let app = try database.app(mail.app, now: now) else { return nil }
      try database.keep(AccountMail.digest(of: token), of: mail, now: now)
      return app
    }
    do throws(HTTPError) {
      guard let app else { throw .noSuchApp("\(mail.app)") }
      try await hand(mail, of: app.name, token)
    } catch {
      let pause = min(AppsLimits.firstPause * 60 * Double(1 << min(mail.attempts, 10)), AppsLimits.mailGiveUpSeconds)
      hub.log.warning("a mail to an app's user was not sent", ["app": "\(mail.app)", "error": error.error])
      let isOver = (400..<500).contains(error.code.status) || now + pause - mail.madeAt > AppsLimits.mailGiveUpSeconds
      guard isOver else {
        return try await hub.store.write { database throws(StoreError) in
          try database.wait(mail, until: now + pause)
        }
      }
      console("\(mail.app)", ConsoleEntry("mail", reason: "\(error.error) It was given up."))
    }
    try await hub.store.write { database throws(StoreError) in try database.remove(mail) }
  }

  /// - Parameters:
  ///   - app: its name.
  ///   - token: the secret in the link.
  private func hand(_ mail: AccountMail, of app: String, _ token: String) async throws(HTTPError) {
    guard let mailer = hub.offers[.mailer] else {
      throw HTTPError(.tooBusy, "The hub has no mail server.", help: "It is tried again.")
    }
    let words = AccountWords(isGerman: mail.isGerman, app: app, name: mail.name)
    try await mailer.send(
      RoomMail(
        to: mail.to, title: words.title(mail.purpose), body: words.body(mail.purpose),
        link: words.button(mail.purpose), url: "\(await address)\(Self.path)\(token)",
        id: "account.\(Digest.hex(AccountMail.digest(of: token).prefix(8)))"))
  }

  /// The hub's address. A request's own would let a stranger choose where the link leads.
  private var address: String {
    get async {
      if let url = hub.publicURL { return url }
      let noted: String?
      do throws(StoreError) { noted = try await hub.links.hubAddress() } catch { noted = nil }
      return noted ?? "http://localhost:8080"
    }
  }
}
