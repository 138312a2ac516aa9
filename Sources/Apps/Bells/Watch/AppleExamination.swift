import APNsSender
import CivilTime
import Crypto
import Hub
import Store

/// The doctor's checks of the way to Apple's push service: keys that cannot be used, certificates that end,
/// and apps whose registrations do not fit the keys.
struct AppleExamination {
  let accounts: [KeptAppleAccount]
  let registrations: [AppleRegistration]
  let now: Double

  init(_ database: Database, now: Double) throws(StoreError) {
    accounts = try database.appleAccounts()
    registrations = try database.appleRegistrations()
    self.now = now
  }

  var findings: [Finding] {
    let wrong = accounts.flatMap { [Self.key($0), certificate($0), Self.failure($0)].compactMap { $0 } } + misfits
    if !wrong.isEmpty { return wrong }
    guard !accounts.isEmpty else { return [] }
    return [
      .ok("apple", "\(accounts.count) keys from Apple, for \(registrations.count) devices with a native app")
    ]
  }

  private static func name(_ account: AppleAccount) -> String { "apple \(account.id) (\(account.name))" }

  private static func another(_ account: AppleAccount) -> String {
    "`eightbells apple add --data DIR …`, then `eightbells apple delete \(account.id) --data DIR`"
  }

  private static func key(_ kept: KeptAppleAccount) -> Finding? {
    guard case .key(_, let bytes) = kept.account.proof, P256PrivateKey(bytes) == nil else { return nil }
    return .problem(
      name(kept.account), "its key is damaged and cannot be used", remedy: "Add it again: \(another(kept.account)).")
  }

  private func certificate(_ kept: KeptAppleAccount) -> Finding? {
    guard let end = kept.account.end, end - now < APNsSenderLimits.warningDays * 86_400 else { return nil }
    let remedy = "Get another from Apple, or better a key, which has no end: \(Self.another(kept.account))."
    return .ending(Self.name(kept.account), at: end, now: now, remedy: remedy)
  }

  private static func failure(_ kept: KeptAppleAccount) -> Finding? {
    guard let failure = kept.failure else { return nil }
    let (account, since) = (kept.account, timestamp(EpochSeconds(kept.failedAt ?? 0), in: .utc))
    let remedy =
      switch failure.split(separator: " ").last.map(String.init) ?? "" {
      case "InvalidProviderToken":
        "The key's id and the team have to be those of the key at Apple: \(account.name) and \(account.team) here. "
          + "Perhaps it was revoked."
      case "ExpiredProviderToken": "Set the machine's clock: Apple takes the hub's tokens for old."
      case "BadCertificateEnvironment", "BadEnvironmentKeyIdInToken":
        "It is for the other environment than \(account.environment.rawValue): add it again, with or without --sandbox."
      case "TopicDisallowed": "One of its topics is of another team: \(account.topics.joined(separator: ", "))."
      case _ where failure.hasPrefix("4"): "Compare its key id, team and apps with those at developer.apple.com."
      default: "See whether \(account.host) can be reached from here, on port \(account.port)."
      }
    return .warning(
      name(account), "sending to \(account.host) fails since \(since): \(failure)", remedy: remedy)
  }

  /// Apps for which there is no key, or one for another environment, and tokens that the service refuses.
  private var misfits: [Finding] {
    var findings: [Finding] = []
    let apps = Dictionary(grouping: registrations) { "\($0.topic), \($0.environment.rawValue)" }
    for (app, devices) in apps.sorted(by: { $0.key < $1.key }) {
      let (topic, environment) = (devices[0].topic, devices[0].environment)
      let near = accounts.filter { $0.account.topics.contains(topic) }
      if !near.contains(where: { $0.account.environment == environment }) {
        let what =
          near.first.map { "the key of the hub is for \($0.account.environment.rawValue)" }
          ?? "the hub has no key for this app"
        findings.append(
          .warning(
            "apple \(app)", "\(devices.count) devices cannot be rung: \(what)",
            remedy: "Add one: `eightbells apple add --data DIR --topic \(topic)"
              + "\(environment == .sandbox ? " --sandbox" : "") …`."))
      }
      let refused = devices.filter { $0.failure != nil }
      if let reason = refused.first?.failure {
        findings.append(
          .warning(
            "apple \(app)", "the tokens of \(refused.count) devices are refused: \(reason)",
            remedy: "The app has to register with its own bundle id as `topic`, and with \"sandbox\" as `environment` "
              + "if it runs from Xcode."))
      }
    }
    return findings
  }
}
