import Synchronization

/// The facts about the connection that a request came on, for protocols with rules for a whole connection. All requests
/// of one connection have the same.
public final class PeerState: Sendable {
  /// The certificate that the client has sent; nil without one.
  public let certificate: ClientCertificate?
  private let value = Mutex<(any Sendable)?>(nil)

  package init(certificate: ClientCertificate? = nil) { self.certificate = certificate }

  /// A value that handlers keep with the connection; nil at first.
  public var kept: (any Sendable)? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

/// A client's certificate.
public struct ClientCertificate: Equatable, Sendable {
  /// DER.
  public let bytes: [UInt8]
  /// True if the authority that was named to the server vouches for it, and it is not over.
  public let isValid: Bool
}
