import Client
public import Wire

/// The address at a push service to which messages for one browser are sent (RFC 8030 section 2). It comes from
/// clients, so it may be any address at all. It is also a secret: whoever knows it could send useless messages until
/// the browser ends the subscription.
public struct PushEndpoint: Hashable, Sendable {
  public let url: String
  /// Scheme, host and port of the push service (RFC 6454), in lower case and without a default port.
  public let origin: String

  /// - Parameter listed: networks outside of the public Internet that may be sent to, as for `TargetAddress`.
  public init(_ url: String, listed: [AddressRange] = []) throws(WebPushError) {
    do throws(TargetAddress.Fault) {
      let address = try TargetAddress(url, longest: WebPushLimits.endpointBytes, listed: listed)
      self.init(kept: address.url, origin: address.origin)
    } catch {
      throw WebPushError(error)
    }
  }

  /// An endpoint that was checked before it was kept.
  init(kept url: String, origin: String) {
    self.url = url
    self.origin = origin
  }
}

extension WebPushError {
  fileprivate init(_ fault: TargetAddress.Fault) {
    switch fault {
    case .tooLong(let bytes):
      self.init(.endpoint, "The endpoint has \(bytes) bytes; up to \(WebPushLimits.endpointBytes) are accepted.")
    case .characters:
      self.init(.endpoint, "The endpoint has characters that no address has; they must be escaped.")
    case .form:
      self.init(.endpoint, "The endpoint is no address of a push service; https://host/path is accepted.")
    case .host:
      self.init(.endpoint, "The endpoint's host cannot be read; a name or an address, and a port, are accepted.")
    case .notPublic:
      self.init(.targetRefused, "The endpoint is not on the public Internet, and its network is not listed.")
    case .notSecure: self.init(.endpoint, "The endpoint begins with http:; https: is accepted.")
    }
  }
}
