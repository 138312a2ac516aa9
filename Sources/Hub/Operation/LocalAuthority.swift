public import Crypto
import Glibc
public import Terminal
import Wire

/// An authority of the hub's own, for TLS where it has no certificate, and for certificates of its clients. Whoever
/// connects has to trust its file once.
public struct LocalAuthority: Sendable {
  /// A server's certificate and key, as PEM files, and the end of its validity in seconds since 1970.
  public struct Server: Sendable {
    public var certificate: String
    public var key: String
    public var end: Double
  }

  private let folder: String
  private let issuer: Certificate.Issuer

  /// Years of the authority, and days of a server's certificate, the most that browsers and Apple's systems take.
  private static let years = 20
  private static let serverDays = 395
  /// Seconds by which certificates are valid before they were made, for clients whose clocks are behind.
  private static let early = 86_400

  private static func folder(in dataFolder: String) -> String { "\(dataFolder)/eightbells.authority" }

  /// The PEM file that clients must trust.
  public static func certificateFile(in dataFolder: String) -> String { "\(folder(in: dataFolder))/authority.pem" }
  public var certificateFile: String { "\(folder)/authority.pem" }

  /// Opens the authority in a data folder; made at the first call. Its key is for the hub's user alone.
  /// - Parameter now: seconds since 1970.
  public init(in dataFolder: String, now: Double) throws(CommandError) {
    folder = Self.folder(in: dataFolder)
    try PrivateFile.makeFolder(folder)
    let kept = "\(folder)/authority.key"
    if try PrivateFile.read(kept) == nil {
      let key = P256PrivateKey()
      let certificate = Certificate(
        authority: "Eightbells \(Digest.hex(key.publicKey.bytes.suffix(4)))", key: key, from: Int(now) - Self.early,
        until: Int(now) + Self.years * 365 * 86_400)
      // Another process may have made one just now: the first one counts.
      _ = try PrivateFile.make(kept, Array((key.pem + certificate.pem).utf8))
    }
    issuer = try Self.issuer(kept)
    let pem = Array(issuer.certificate.pem.utf8)
    if try PrivateFile.read(certificateFile) != pem { try PrivateFile.write(certificateFile, pem) }
  }

  private static func issuer(_ path: String) throws(CommandError) -> Certificate.Issuer {
    guard let text = try PrivateFile.read(path), let certificate = Certificate(pem: text),
      let key = P256PrivateKey(pem: text)
    else {
      throw CommandError(
        "\(path) is damaged: it holds no certificate with its key. Restore it from a copy, or remove it: then a new "
          + "authority is made, which all clients have to trust anew.")
    }
    return Certificate.Issuer(certificate, key)
  }

  /// Makes a certificate for this machine's servers.
  /// - Parameter others: names and addresses beside this machine's own; what is empty, or stands for all addresses, is
  ///   left out.
  public func makeServer(_ others: [String], now: Double) throws(CommandError) -> Server {
    var (names, addresses) = (["localhost"], ["127.0.0.1", "::1"])
    if let own = hostName() { names.append(own) }
    for other in others where !other.isEmpty {
      if let address = IPAddress(other) {
        if !["0.0.0.0", "::"].contains(other) { addresses.append(address.description) }
      } else {
        names.append(other)
      }
    }
    func known(_ list: [String], _ isGood: (UInt8) -> Bool) -> [String] {
      var seen: Set<String> = []
      // A comma would begin another name in the certificate's configuration.
      return list.filter { !$0.isEmpty && $0.utf8.allSatisfy(isGood) && seen.insert($0).inserted }
    }
    let subject = Certificate.Subject(
      .server(
        names: known(names) { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") },
        addresses: known(addresses) { $0 != UInt8(ascii: ",") }), commonName: "Eightbells")
    let key = P256PrivateKey()
    let end = Int(now) + Self.serverDays * 86_400
    let certificate = Certificate(
      subject, key: key.publicKey, by: issuer, from: Int(now) - Self.early, until: end)
    let made = Server(certificate: "\(folder)/server.pem", key: "\(folder)/server.key", end: Double(end))
    try PrivateFile.write(made.key, Array(key.pem.utf8))
    try PrivateFile.write(made.certificate, Array(certificate.pem.utf8))
    return made
  }

  /// Issues a client's certificate.
  public func makeClient(
    _ key: P256PublicKey, commonName: String, userID: String, days: Int, now: Double
  ) -> Certificate {
    Certificate(
      Certificate.Subject(.client, commonName: commonName, userID: userID), key: key, by: issuer,
      from: Int(now) - Self.early, until: Int(now) + days * 86_400)
  }
}

/// This machine's name.
func hostName() -> String? {
  var buffer = [CChar](repeating: 0, count: 256)
  guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
  return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
