import Crypto
import Hub
import Wire

/// An app that somebody builds with this hub: what its pages and programs connect with, and what they may.
struct App: Equatable, Sendable {
  /// Pusher's clients demand digits.
  let id: Int
  var name: String
  /// Names the app in addresses of sockets. It stands in pages, and is no secret.
  let key: String
  let applicationID: String
  let restKey: String
  /// Seconds since 1970.
  let createdAt: Double
  /// The time at which the present secret was made and shown.
  var rotatedAt: Double
  var options = AppOptions()
  /// Those that sign its requests: the present one first, then older ones that count for a while.
  var secrets: [AppSecret] = []

  /// The app as the API shows it, without what is shown once.
  var json: JSON {
    [
      "app_id": JSON(id: id), "name": .string(name), "key": .string(key), "application_id": .string(applicationID),
      "rest_key": .string(restKey), "created_at": JSON(instant: createdAt),
      "secret_shown_at": JSON(instant: rotatedAt),
      "old_secret_until": JSON(instant: secrets.compactMap(\.until).max()),
    ]
  }

  /// The same with the secrets that were just made.
  func json(showing made: MadeSecrets) -> JSON {
    json.with(["secret": .string(made.secret), "master_key": .string(made.masterKey)])
  }
}

/// A secret of an app that still counts.
struct AppSecret: Equatable, Sendable {
  var text: String
  /// The digest of the master key that was made with it.
  var masterDigest: [UInt8] = []
  /// Seconds since 1970 at which it ends; nil for the present one.
  var until: Double?
}

/// Secrets that an app's owner sees once. Signatures are made with the secret, which is therefore kept; of the master
/// key only a digest is.
struct MadeSecrets: Sendable {
  let secret = Digest.hex(Digest.random(AppsLimits.secretBytes))
  let masterKey = Digest.hex(Digest.random(AppsLimits.secretBytes))

  var masterDigest: [UInt8] { Digest.sha256(masterKey.utf8) }
}

extension App {
  /// A new app's names for itself.
  init(name: String, at now: Double, isTaken: (Int) throws -> Bool) rethrows {
    var id = Int.random(in: AppsLimits.ids)
    while try isTaken(id) { id = Int.random(in: AppsLimits.ids) }
    func drawn() -> String { Digest.hex(Digest.random(AppsLimits.keyBytes)) }
    self.init(
      id: id, name: name, key: drawn(), applicationID: drawn(), restKey: drawn(), createdAt: now, rotatedAt: now)
  }
}
