import CivilTime
import Crypto
import Hub
import Server
import Wire

/// The fields of a request that makes or changes an album.
struct AlbumForm: Sendable {
  private static let switches: [(field: String, option: any WritableKeyPath<AlbumOptions, Bool> & Sendable)] = [
    ("review", \.review), ("upload_only", \.uploadOnly), ("shows_taken", \.showsTaken), ("plays_sound", \.playsSound),
  ]
  private static let fields = ["name", "mode", "closes_at", "passphrase"] + switches.map(\.field)
  private var name: String?
  private var mode: Album.Mode?
  private var flags: [String: Bool] = [:]
  private var closesAt: Double??
  private var passphrase: String??
  private var isClosed: Bool?
  private var wantsNewLink = false

  /// - Parameter isNew: true for a new album, which needs a name.
  init(_ request: Request, isNew: Bool, now: Double) throws(HTTPError) {
    var check = try FieldCheck(request, known: Self.fields + (isNew ? [] : ["closed", "new_link"]))
    if isNew || check.has("name") { name = check.line("name", isNeeded: true) }
    mode = check.choice("mode", among: [Album.Mode.family, .open])
    for (field, _) in Self.switches where check.has(field) { flags[field] = check.flag(field) }
    if check.has("closes_at") { closesAt = .some(check.end("closes_at", now: now)) }
    if check.has("passphrase") {
      let text = check["passphrase"] == .null ? nil : check.line("passphrase", longest: AlbumLimits.passphrase)
      passphrase = .some(text)
    }
    if check.has("closed") { isClosed = check.flag("closed") }
    if check.has("new_link") { wantsNewLink = check.flag("new_link") ?? false }
    try check.finish(help: "Example: {\"name\": \"Ada's wedding\", \"mode\": \"open\"}")
  }

  var newName: String { name ?? "" }
  /// The passphrase that was typed, which has to be hashed.
  var typedPassphrase: String? { passphrase ?? nil }

  /// Takes over what was sent.
  /// - Parameter hash: of the passphrase that was typed.
  func change(_ options: inout AlbumOptions, hash: PasswordHash?) {
    if let mode { options.mode = mode }
    for (field, option) in Self.switches { options[keyPath: option] = flags[field] ?? options[keyPath: option] }
    if let closesAt { options.closesAt = closesAt }
    if passphrase != nil { options.passphrase = hash?.text }
  }

  func change(_ album: inout Album, hash: PasswordHash?, now: Double) {
    if let name { album.name = name }
    // It was over, and is put off.
    if let end = closesAt ?? nil, end > now, album.closedAt == album.options.closesAt { album.closedAt = nil }
    change(&album.options, hash: hash)
    if let isClosed {
      album.closedAt = isClosed ? album.closedAt ?? now : nil
      // Opened again, it does not close at a time that has passed.
      if !isClosed, let end = album.options.closesAt, end <= now { album.options.closesAt = nil }
    }
    if wantsNewLink { album.secret = AlbumSecret.link() }
  }
}

extension FieldCheck {
  /// A time in the future, within the limit; nil for null.
  fileprivate mutating func end(_ field: String, now: Double) -> Double? {
    if self[field] == .null { return nil }
    guard let text = text(field, longest: 40), let time = parseTimestamp(text) else {
      fail(field, "no time; one such as 2026-11-22T12:00:00Z, or null, is accepted.")
      return nil
    }
    guard Double(time) > now, Double(time) <= now + AlbumLimits.farthestEnd else {
      fail(field, "\(text); a time within a year from now is accepted.")
      return nil
    }
    return Double(time)
  }
}
