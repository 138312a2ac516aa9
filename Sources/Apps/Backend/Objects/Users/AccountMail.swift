import Crypto
import Hub
import Lifecycle
import Objects
import Observe
import Server
import Store
import Wire

/// A mail to a user of an app, with a link that is good for a while.
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
  var purpose: Purpose
  var to: String
  var app: App
  /// The user's name.
  var name: String
  var isGerman: Bool
  /// The secret in the link; the store has its digest.
  var token = Digest.hex(Digest.random(20))

  var digest: [UInt8] { Digest.sha256(token.utf8) }
}

/// The mails to users of apps. They are sent one after the other, by a task of their own: nobody learns by the time
/// that an answer takes whether there is a user with an address.
final class AccountMails: Sendable {
  static let path = "/apps/account/"

  private let hub: Hub
  private let asked: TokenBuckets<String>
  private let ofApps: TokenBuckets<Int>
  private let waiting: AsyncStream<AccountMail>
  private let entry: AsyncStream<AccountMail>.Continuation

  init(_ hub: Hub) {
    self.hub = hub
    asked = TokenBuckets(most: AppsLimits.mailAddresses, for: 3_600, time: hub.time)
    ofApps = TokenBuckets(most: AppsLimits.apps, for: 3_600, time: hub.time)
    (waiting, entry) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(AppsLimits.mailsWaiting))
  }

  /// True if the hub can send mail.
  var arePossible: Bool { hub.offers[.mailer] != nil }

  /// Counts a mail that somebody asks for to an address.
  /// - Returns: false if too many were asked for already.
  func mayAsk(_ address: String, of app: App) -> Bool {
    asked.take("\(app.id) \(address.lowercased())", AppsLimits.mailsToAddress) == nil
  }

  /// Sends it soon, unless the app has sent too many.
  func send(_ mail: AccountMail) {
    guard ofApps.take(mail.app.id, AppsLimits.mailsOfApp) == nil, case .enqueued = entry.yield(mail) else {
      return hub.log.warning("a mail to an app's user was not sent: there are too many", ["app": "\(mail.app.id)"])
    }
  }

  /// Sends a mail once the change is on the disk, with the link that it then has.
  func send(
    _ purpose: AccountMail.Purpose, to user: StoredObject, isGerman: Bool, in writer: ObjectWriter
  ) throws {
    guard let address = user["email"]?.string, let row = try writer.database.user(.id(user.id), of: writer.app.id)
    else {
      return
    }
    let mail = AccountMail(
      purpose: purpose, to: address, app: writer.app, name: user["username"]?.string ?? "", isGerman: isGerman)
    try writer.database.keep(mail, for: row.object, now: writer.change.now)
    writer.change.then { [self] in send(mail) }
  }

  /// Asks a new user, or one with another address, whether it is theirs, if the app's owner wants that.
  func askWhether(_ user: StoredObject, isGerman: Bool, in writer: ObjectWriter) throws {
    guard writer.app.options.verifiesEmails, arePossible, let address = user["email"]?.string,
      mayAsk(address, of: writer.app)
    else { return }
    try send(.verify, to: user, isGerman: isGerman, in: writer)
  }

  func run() async throws {
    for await mail in waiting {
      guard let mailer = hub.offers[.mailer] else { continue }
      let words = AccountWords(isGerman: mail.isGerman, app: mail.app.name, name: mail.name)
      let address = await address
      do throws(HTTPError) {
        try await mailer.send(
          RoomMail(
            to: mail.to, title: words.title(mail.purpose), body: words.body(mail.purpose),
            link: words.button(mail.purpose), url: "\(address)\(Self.path)\(mail.token)",
            id: "account.\(Digest.hex(mail.digest.prefix(8)))"))
      } catch {
        hub.log.warning("a mail to an app's user was not sent", ["app": "\(mail.app.id)", "error": error.error])
      }
    }
    try Task.checkCancellation()
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
