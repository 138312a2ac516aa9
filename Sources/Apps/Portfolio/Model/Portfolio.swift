import Hub
import Store
import Wire

/// A member's galleries from one source.
struct Portfolio: Equatable, Sendable {
  /// The key in the store, which nobody is told.
  var id = 0
  /// The id in addresses.
  let address: String
  /// The person whose it is.
  let person: Int?
  /// True for one that was made before the hub had an owner: it belongs to all owners.
  var isOwners = false
  var name: String
  var position = 0
  let source: SourceName
  /// Names and secrets for the source, kept in the store alone.
  var credentials = SourceCredentials()
  /// Seconds since 1970.
  var syncedAt: Double?
  /// When the source is to be looked at next; nil: not before somebody asks.
  var nextAt: Double?
  /// True if a sync has begun and not ended: a hub that was killed goes on.
  var isOpen = false
  /// The reason why the last sync did not come to its end; nil if it did.
  var fault: Reason?
  /// True if the fault passes by itself: it is tried again at `nextAt`.
  var isWaiting = false
  /// True if its owner has said that the many pictures may go.
  var mayLose = false

  /// A look further away than anything waits was put off while the clock was ahead.
  func isDue(now: Double) -> Bool {
    if isOpen, !isWaiting { return true }
    return nextAt.map { $0 <= now || $0 > now + PortfolioLimits.longestWait } ?? false
  }

  static let channels = Channel.private(PortfolioRoom.id)
  var channel: Channel { Self.channels.of(address) }

  /// True if somebody may see and change it.
  func belongs(to principal: Principal) -> Bool {
    guard principal.topics == nil, let caller = principal.person else { return false }
    return person == caller || isOwners && principal.may(.keepCommonPortfolios)
  }

  /// Listeners of a portfolio's channel.
  static func mayListen(
    _ principal: Principal, to address: Substring, _ database: Database
  ) throws(StoreError) -> Bool {
    try database.portfolio(String(address))?.belongs(to: principal) ?? false
  }
}

/// The source of a portfolio's galleries: `folder:/srv/photos`, `webdav:https://cloud.example/…`, `flickr:USER`,
/// `uploads:` for those that their owner makes here.
struct SourceName: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case folder, webdav, flickr, albums, uploads, demo
  }
  let kind: Kind
  /// The path, the address or the name of a user.
  let of: String

  var text: String { "\(kind.rawValue):\(of)" }
  /// True if its galleries are what the source lists; otherwise their owner makes and removes them here.
  var isListed: Bool { kind != .uploads }

  /// Nil for a text without a kind that is known.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), let kind = Kind(rawValue: String(text[..<colon])) else { return nil }
    self.init(kind, String(text[text.index(after: colon)...]))
  }

  init(_ kind: Kind, _ of: String) { (self.kind, self.of) = (kind, of) }
}

/// A user's name and secrets for a source, by names that its kind knows. Shown to nobody; the store keeps them, whose
/// files only the hub's own user may read.
struct SourceCredentials: Equatable, Sendable {
  var values: [String: String] = [:]

  subscript(_ name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  init(_ values: [String: String] = [:]) { self.values = values }

  init(kept text: String) {
    let members = (try? JSON(parsing: text))?.members ?? []
    values = Dictionary(members.compactMap { one in one.value.string.map { (one.name, $0) } }) { $1 }
  }

  /// The form in the store.
  var kept: String { JSON.object(values.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }).text }
}
