import Client
import EventLoop
import Flickr
import Galleries
import Hub
import Lifecycle
import Observe
import Server
import Settings
import Synchronization
import Wire

/// The options for Flickr, which an owner sets.
enum FlickrOptions {
  static let key = Setting(
    "flickr_key", "KEY", fallback: "", help: "your key for Flickr's API, from flickr.com/services/apps/create")
  static let secretFile = Setting(
    "flickr_secret_file", "FILE", fallback: "", help: "a file with the key's secret in its first line")
  static let base = Setting(
    "flickr_base", "URL", fallback: "", help: "where Flickr is, if not at flickr.com; for tests"
  ) { value throws(SettingsError) in
    guard value.isEmpty || value.hasPrefix("https://") || value.hasPrefix("http://") else {
      throw SettingsError("flickr_base: \"\(value)\"; an address that begins with https:// or http:// is accepted.")
    }
  }
  static let all = [key, secretFile, base]
}

/// Flickr as this hub reaches it: one key for all portfolios, since Flickr counts its calls, and the people whose
/// permission is being asked for.
final class FlickrAccess: Sendable {
  /// Nil without a key.
  let api: FlickrAPI?
  private let hub: Hub
  private let consents = Mutex<[String: Consent]>([:])
  /// Counts whoever has Flickr asked, by their person.
  private let askers: TokenBuckets<Int>

  /// The names of a token's parts in a portfolio's credentials.
  private static let (token, secret) = ("flickr_token", "flickr_secret")
  /// The credential that names the account whose token it is.
  static let tokenUser = "flickr_user"
  /// The name that the photographer has at Flickr, to be told wherever others see the pictures (Flickr's terms).
  static let photographer = "flickr_photographer"

  /// Somebody who has been sent to Flickr.
  struct Consent: Sendable {
    let request: FlickrRequestToken
    let person: Int
    /// The address of the portfolio that is authorized anew; nil for a new one.
    let portfolio: String?
    let until: Double
  }

  /// - Parameter arguments: of a command, whose options count before the hub's.
  init(_ hub: Hub, _ arguments: Arguments? = nil) {
    self.hub = hub
    askers = TokenBuckets(most: PortfolioLimits.askers, for: PortfolioLimits.askerSeconds, time: hub.time)
    func value(_ setting: Setting) -> String { arguments?[setting.optionName] ?? hub.options[setting.name] }
    let base = value(FlickrOptions.base)
    let calls = SharedCallRate(in: hub.dataFolder)
    api = Self.key(value(FlickrOptions.key), value(FlickrOptions.secretFile), hub).map { key in
      FlickrAPI(
        key: key, addresses: FlickrAddresses(base: base.isEmpty ? nil : base),
        client: hub.client.restricted(
          to: .publicInternet(and: hub.reachable + Self.named(base)), on: PortfolioWatch.loop),
        time: hub.time, count: { uptime in calls.take(at: uptime) },
        wait: { [loop = hub.loop] seconds throws(CancellationError) in try await loop.pause(for: seconds) })
    }
  }

  private static func key(_ key: String, _ file: String, _ hub: Hub) -> FlickrKey? {
    guard !key.isEmpty else { return nil }
    let bytes = (try? PrivateFile.read(file)) ?? nil
    let secret = String(decoding: bytes ?? [], as: UTF8.self).prefix { !$0.isWhitespace }
    let made = FlickrKey(key: key, secret: String(secret))
    if made == nil { hub.log.error("Flickr's key or its secret cannot be read", ["file": file]) }
    return made
  }

  /// The address in `flickr_base`, if it is a number: whoever sets it means it, also inside.
  private static func named(_ base: String) -> [AddressRange] {
    guard let start = base.firstRange(of: "://")?.upperBound else { return [] }
    let host = base[start...].prefix { $0 != "/" && $0 != ":" }
    return (try? AddressRange(String(host))).map { [$0] } ?? []
  }

  // MARK: Sources

  /// - Throws: `.denied` without a key.
  func source(of portfolio: Portfolio) throws(SourceFault) -> FlickrSource {
    guard let api else { throw .denied(Reason(.noFlickrKey)) }
    return FlickrSource(
      api: api, user: portfolio.source.of, token: Self.token(portfolio.credentials), time: hub.time)
  }

  static func token(_ kept: SourceCredentials) -> FlickrToken? {
    guard let token = kept[token], let secret = kept[secret], let user = kept[tokenUser] else { return nil }
    return FlickrToken(token: token, secret: secret, user: user, name: user)
  }

  static func credentials(_ token: FlickrToken) -> SourceCredentials {
    SourceCredentials([Self.token: token.token, secret: token.secret, tokenUser: token.user])
  }

  /// Counts that somebody has Flickr asked.
  /// - Throws: 429 if it was too often.
  func count(_ person: Int) throws(HTTPError) {
    guard let seconds = askers.take(person, PortfolioLimits.asked) else { return }
    throw .tooOften(
      "You have asked Flickr for much just now, and all of this hub share its calls.", wait: seconds,
      ", then try it again.")
  }

  /// The wish for a portfolio of somebody at Flickr.
  /// - Parameters:
  ///   - user: an id, a name, or an address of their pages; empty or "me" for the token's own.
  ///   - token: the permission of the one who asks; nil for what everybody may see.
  /// - Throws: 400 if there is nobody of that name, and when Flickr does not say.
  func wish(_ user: String, name: String?, _ token: FlickrToken?) async throws(HTTPError) -> PortfolioChange.Wish {
    let api = try needed()
    let wanted = ["", "me"].contains(user) ? token?.user ?? "" : user
    guard !wanted.isEmpty else { throw Self.refusal("flickr: needs a user, or your permission") }
    let person = try await Self.ask { () throws(FlickrFault) in try await api.person(wanted, as: token) }
    var credentials = token.map(Self.credentials) ?? SourceCredentials()
    credentials[Self.photographer] = String(person.name.prefix(RequestLimits.name))
    return PortfolioChange.Wish(
      source: SourceName(.flickr, person.id), name: String((name ?? person.name).prefix(RequestLimits.name)),
      credentials: credentials)
  }

  /// - Throws: 400 without a key.
  func needed() throws(HTTPError) -> FlickrAPI {
    guard let api else { throw Self.refusal(Reason(.noFlickrKey).text) }
    return api
  }

  /// Calls Flickr for somebody who waits for an answer.
  static func ask<Answer>(_ call: () async throws(FlickrFault) -> Answer) async throws(HTTPError) -> Answer {
    do throws(FlickrFault) {
      return try await call()
    } catch {
      if case .refused(1, let words) = error { throw refusal(words) }
      throw refusal(error.sourceFault.reason?.text ?? "the hub is ending")
    }
  }

  private static func refusal(_ words: String) -> HTTPError {
    HTTPError(
      .sourceNotAccepted, "The source cannot be used: \(words).",
      help: "flickr:USER is accepted, USER being a name, an id such as 12037949754@N01, or the address of a page.")
  }

  /// The people whom somebody follows at Flickr.
  func contacts(_ token: FlickrToken) async throws(HTTPError) -> [FlickrPerson] {
    let api = try needed()
    return try await Self.ask { () throws(FlickrFault) in try await api.contacts(as: token) }
  }

  // MARK: Permissions

  /// Begins to ask a person for their permission.
  /// - Parameter callback: where Flickr sends their browser afterwards.
  /// - Returns: the address that they open.
  func begin(
    for person: Int, _ portfolio: String?, callback: String
  ) async throws(HTTPError) -> (token: String, address: String) {
    let api = try needed()
    try count(person)
    let request = try await Self.ask { () throws(FlickrFault) in try await api.requestToken(callback: callback) }
    let now = hub.time.uptime
    consents.withLock { consents in
      consents = consents.filter { $0.value.until > now }
      // A person's first questions are forgotten when they ask again and again, and then those of others.
      for limit in [(own: true, most: PortfolioLimits.consentsOfPerson), (own: false, most: PortfolioLimits.consents)] {
        let held = consents.filter { !limit.own || $0.value.person == person }
        if held.count >= limit.most, let oldest = held.min(by: { $0.value.until < $1.value.until }) {
          consents[oldest.key] = nil
        }
      }
      consents[request.token] = Consent(
        request: request, person: person, portfolio: portfolio, until: now + PortfolioLimits.consentSeconds)
    }
    return (request.token, api.consentAddress(request))
  }

  /// Ends it with what Flickr has told the person's browser.
  /// - Throws: 404 for a token that was not begun by this person, or is too old; 400 for a wrong verifier.
  func end(
    _ token: String, verifier: String, person: Int
  ) async throws(HTTPError) -> (token: FlickrToken, portfolio: String?) {
    let api = try needed()
    let now = hub.time.uptime
    let consent = consents.withLock { consents -> Consent? in
      guard let found = consents[token], found.person == person, found.until > now else { return nil }
      consents[token] = nil
      return found
    }
    guard let consent else { throw HTTPError.noSuchConsent }
    return try await Self.ask { () throws(FlickrFault) in
      (try await api.accessToken(consent.request, verifier: verifier), consent.portfolio)
    }
  }
}

extension Portfolio {
  /// The name that Flickr's terms want told wherever others see the pictures; nil for other sources. A portfolio of 0.6
  /// or before has none but its own.
  var photographer: String? {
    source.kind == .flickr ? credentials[FlickrAccess.photographer] ?? name : nil
  }
}

extension Reason.Kind {
  static let noFlickrKey = Self(
    "portfolio-no-flickr-key", "this hub has no key for Flickr; its owner sets flickr_key and flickr_secret_file")
}
