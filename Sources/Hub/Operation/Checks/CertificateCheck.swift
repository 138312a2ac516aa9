import COpenSSL
import CivilTime
import Glibc
import Terminal
import Wire

/// The check of the certificate and key in the settings: if they can be used for HTTPS, for which names, and until
/// when.
package enum CertificateCheck {
  /// - Parameters:
  ///   - certificate: a PEM file with the certificate and then its chain.
  ///   - key: a PEM file with its private key.
  ///   - publicURL: the address that links lead to.
  package static func findings(certificate: String, key: String, publicURL: String?, now: Double) -> [Finding] {
    if certificate.isEmpty, key.isEmpty { return [] }
    guard !certificate.isEmpty, !key.isEmpty else {
      let missing = certificate.isEmpty ? "certificate" : "key"
      return [
        .problem("certificate", "\(missing) is not set", remedy: "HTTPS needs both, certificate = FILE and key = FILE.")
      ]
    }
    let chain = certificates(in: certificate)
    defer { for one in chain { X509_free(one) } }
    guard let leaf = chain.first else { return [unreadable("certificate", certificate, "certificate")] }
    guard let privateKey = privateKey(in: key) else {
      return [unreadable("key", key, "private key, without a password")]
    }
    defer { EVP_PKEY_free(privateKey) }
    guard X509_check_private_key(leaf, privateKey) == 1 else {
      ERR_clear_error()
      return [
        .problem(
          "key", "\(key) is not the key of \(certificate)",
          remedy: "Name the two that were made together. These two lines must be alike: "
            + "`openssl x509 -in \(certificate) -noout -pubkey`, and `openssl pkey -in \(key) -pubout`")
      ]
    }
    return [validity(leaf, certificate, now: now)] + address(leaf, publicURL) + completeness(chain, certificate)
      + secrecy(key)
  }

  private static func unreadable(_ subject: String, _ path: String, _ wanted: String) -> Finding {
    ERR_clear_error()
    if access(path, R_OK) != 0 {
      let reason = String(cString: strerror(errno))
      return .problem(
        subject, "\(path) cannot be read: \(reason)",
        remedy: "Name the file with --\(subject). The hub's user has to be able to read it: Docs/https.md, \"The hub "
          + "itself\", says how it gets what certbot keeps for root.")
    }
    return .problem(
      subject, "\(path) holds no \(wanted)",
      remedy: "A PEM file is accepted; it has a line that begins with -----BEGIN. `head -1 \(path)` shows the first.")
  }

  private static func validity(_ leaf: OpaquePointer, _ path: String, now: Double) -> Finding {
    let names = names(of: leaf)
    let whom = names.isEmpty ? "nobody" : names.joined(separator: ", ")
    let begin = instant(X509_get0_notBefore(leaf))
    let end = instant(X509_get0_notAfter(leaf))
    let renew = "Renew it, then tell the hub: `sudo systemctl reload eightbells`"
    guard let begin, let end else { return unreadable("certificate", path, "certificate with dates") }
    let until = timestamp(EpochSeconds(end), in: .utc).prefix(10)
    if now < begin {
      return .problem(
        "certificate", "for \(whom), valid only from \(timestamp(EpochSeconds(begin), in: .utc)) on",
        remedy: "Wait, or look whether this machine's clock is right: `timedatectl`")
    }
    if now >= end { return .problem("certificate", "for \(whom), expired on \(until)", remedy: renew) }
    if names.isEmpty {
      return .problem(
        "certificate", "\(path) is for no name",
        remedy: "Browsers look at subjectAltName alone. Have one made for the name that people type.")
    }
    let days = (end - now) / 86_400
    if days < min(CheckLimits.certificateDays, (end - begin) / 86_400 * CheckLimits.certificateShare) {
      let left = days < 2 ? "\(Int(days * 24)) h" : "\(Int(days)) days"
      return .warning("certificate", "for \(whom), expires on \(until), in \(left)", remedy: renew)
    }
    return .ok("certificate", "for \(whom), valid until \(until)")
  }

  /// Browsers stop at an address that the certificate is not for, and have no passkeys at a number.
  private static func address(_ leaf: OpaquePointer, _ publicURL: String?) -> [Finding] {
    let remedy = "Set a name of the certificate, with the port if it is not 443: public_url = https://NAME"
    guard let authority = publicURL?.drop(while: { $0 != "/" }).dropFirst(2) else {
      return [
        .warning(
          "public_url", "it is not set: links may begin with a number that the certificate is not for", remedy: remedy)
      ]
    }
    let host = String(
      authority.hasPrefix("[") ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" })
    if X509_check_host(leaf, host, host.utf8.count, 0, nil) == 1 || X509_check_ip_asc(leaf, host, 0) == 1 { return [] }
    return [
      .warning(
        "public_url", "the certificate is not for \(host), where links lead",
        remedy: "\(remedy). If a web server in front has another certificate, all is well.")
    ]
  }

  /// Browsers know the roots only: intermediate certificates have to be sent along.
  private static func completeness(_ chain: [OpaquePointer], _ path: String) -> [Finding] {
    if chain.count > 1 { return [] }
    if X509_self_signed(chain[0], 0) == 1 {
      return [
        .warning(
          "certificate", "nobody but itself vouches for it",
          remedy: "Browsers warn and install no page. Let's Encrypt makes one that they know; Docs/https.md says how.")
      ]
    }
    return [
      .warning(
        "certificate", "\(path) holds it alone, without those that vouch for it",
        remedy:
          "Some browsers and most programs will refuse it. Name the file with the whole chain, often fullchain.pem. "
          + "One that an authority of your own has signed itself, as mkcert does, is whole."
      )
    ]
  }

  private static func secrecy(_ key: String) -> [Finding] {
    var status = stat()
    guard stat(key, &status) == 0, status.st_mode & 0o007 != 0 else { return [] }
    return [
      .warning(
        "key", "everyone on this machine can read \(key)",
        remedy: "Whoever has it can pass for your hub. Close it: `chmod o= \(key.shellWord)`")
    ]
  }

  // MARK: OpenSSL

  private static func certificates(in path: String) -> [OpaquePointer] {
    guard let file = BIO_new_file(path, "r") else { return [] }
    defer { BIO_free(file) }
    var found: [OpaquePointer] = []
    while let one = PEM_read_bio_X509(file, nil, nil, nil) { found.append(one) }
    // OpenSSL reports the end of the file as an error.
    ERR_clear_error()
    return found
  }

  private static func privateKey(in path: String) -> OpaquePointer? {
    guard let file = BIO_new_file(path, "r") else { return nil }
    defer { BIO_free(file) }
    // Without a callback, OpenSSL would ask for a password on the terminal.
    return PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in 0 }, nil)
  }

  private static func names(of certificate: OpaquePointer) -> [String] {
    guard let names = copenssl_alternative_names(certificate) else { return [] }
    defer { GENERAL_NAMES_free(names) }
    return (0..<copenssl_name_count(names)).compactMap { index in
      var (count, isAddress): (Int32, Int32) = (0, 0)
      guard let start = copenssl_alternative_name(names, index, &count, &isAddress) else { return nil }
      let bytes = UnsafeBufferPointer(start: start, count: Int(count))
      return isAddress != 0 ? IPAddress(bytes: bytes)?.description : String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Seconds since 1970.
  private static func instant(_ time: UnsafePointer<ASN1_TIME>?) -> Double? {
    var parts = tm()
    guard ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Double(timegm(&parts))
  }
}
