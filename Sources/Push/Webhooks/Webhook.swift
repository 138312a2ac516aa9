import Client
public import Wire

/// A receiver of notifications: another program's server.
public struct Webhook: Equatable, Sendable {
  /// The device that stands for it in queues and traces.
  public var device: Int
  public var name: String
  public var url: String
  public var secret: WebhookSecret
  /// Seconds since 1970.
  public var createdAt: Double
  /// The time of the first attempt that failed since the last one that did not; nil if all is well.
  public var failingSince: Double?
  /// The reason of the last failure, such as "webhook_answer: 503".
  public var failure: String?
  /// The time at which its server said that it wants no more.
  public var endedAt: Double?

  public var state: State { endedAt != nil ? .ended : failingSince != nil ? .failing : .active }

  public enum State: String, Sendable {
    case active, failing, ended
  }
}

/// The check of an address to which notifications are to be posted.
public enum WebhookAddress {
  /// - Parameter listed: networks outside of the public Internet that may be sent to, as for `TargetAddress`.
  /// - Returns: a sentence about what is wrong; nil if it can be used.
  public static func fault(_ url: String, listed: [AddressRange]) -> Reason? {
    do throws(TargetAddress.Fault) {
      _ = try TargetAddress(url, longest: WebhookLimits.addressBytes, listed: listed)
      return nil
    } catch {
      return reason(error)
    }
  }

  private static func reason(_ fault: TargetAddress.Fault) -> Reason {
    switch fault {
    case .tooLong(let bytes): unusable("\(bytes) bytes; up to \(WebhookLimits.addressBytes) are accepted.")
    case .characters: unusable("it has characters that no address has; they must be escaped.")
    case .form: unusable("no address with a path; https://host/ and https://host/path are accepted.")
    case .host: unusable("its host cannot be read; a name or an address, and a port, are accepted.")
    case .notPublic: Reason(.webhookNotPublic)
    case .notSecure: Reason(.webhookNotSecure)
    }
  }

  private static func unusable(_ words: String) -> Reason { Reason(.webhookAddress, ["words": .text(words)]) }
}

extension Reason.Kind {
  static let webhookAddress = Self("webhook-address", "{words}")
  static let webhookNotPublic = Self(
    "webhook-not-public",
    "its host is not on the public Internet; the setting reachable_networks allows other networks.")
  static let webhookNotSecure = Self(
    "webhook-not-secure",
    "it begins with http:; https: is accepted, and http: for a numeric address in reachable_networks.")
}
