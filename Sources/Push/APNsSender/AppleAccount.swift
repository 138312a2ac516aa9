public import Crypto

/// The surroundings in which an app was built: those of its developers, or of the App Store and TestFlight.
public enum AppleEnvironment: String, CaseIterable, Sendable {
  case sandbox, production

  /// Apple's own service.
  public var host: String { self == .sandbox ? "api.sandbox.push.apple.com" : "api.push.apple.com" }
}

/// The right to send to the apps of a team: a key or a certificate from Apple.
public struct AppleAccount: Hashable, Sendable {
  public enum Proof: Hashable, Sendable {
    /// The id of a key, and its private half: 32 bytes.
    case key(id: String, [UInt8])
    case certificate(ClientIdentity)
  }

  /// 0 until it is added.
  public var id: Int
  public var team: String
  public var proof: Proof
  /// The bundle ids of the apps.
  public var topics: [String]
  public var environment: AppleEnvironment
  public var host: String
  public var port: UInt16
  /// PEM: the authorities that vouch for the service, instead of the system's.
  public var authorities: [UInt8]?
  /// Seconds since 1970.
  public var createdAt: Double

  public init(
    id: Int = 0, team: String, proof: Proof, topics: [String], environment: AppleEnvironment, host: String? = nil,
    port: UInt16 = 443, authorities: [UInt8]? = nil, createdAt: Double
  ) {
    self.id = id
    self.team = team
    self.proof = proof
    self.topics = topics
    self.environment = environment
    self.host = host ?? environment.host
    self.port = port
    self.authorities = authorities
    self.createdAt = createdAt
  }

  /// The name in lists: the key's id, or the beginning of the certificate's fingerprint.
  public var name: String {
    switch proof {
    case .key(let id, _): id
    case .certificate(let identity): String(Digest.hex(identity.certificate.fingerprint).prefix(16))
    }
  }

  /// Seconds since 1970 at which it ends; nil for a key.
  public var end: Double? {
    if case .certificate(let identity) = proof { identity.certificate.end.map(Double.init) } else { nil }
  }

  /// The value of the field `:authority`.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == 443 ? name : "\(name):\(port)"
  }
}

/// An account as it is kept, with what went wrong last.
public struct KeptAppleAccount: Equatable, Sendable {
  public var account: AppleAccount
  /// The last failure that was not about one device, such as "403 InvalidProviderToken"; nil if all is well since.
  public var failure: String?
  /// Seconds since 1970.
  public var failedAt: Double?

  public init(account: AppleAccount, failure: String? = nil, failedAt: Double? = nil) {
    self.account = account
    self.failure = failure
    self.failedAt = failedAt
  }
}

/// An app on a device, as Apple's service reaches it.
public struct AppleRegistration: Equatable, Sendable {
  /// The device of `Delivery`.
  public var device: Int
  public var token: [UInt8]
  /// The app's bundle id.
  public var topic: String
  public var environment: AppleEnvironment
  /// Seconds since 1970.
  public var registeredAt: Double
  /// The last refusal that was about this token, such as "BadDeviceToken".
  public var failure: String?

  public init(
    device: Int, token: [UInt8], topic: String, environment: AppleEnvironment, registeredAt: Double,
    failure: String? = nil
  ) {
    self.device = device
    self.token = token
    self.topic = topic
    self.environment = environment
    self.registeredAt = registeredAt
    self.failure = failure
  }
}
