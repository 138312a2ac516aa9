import CFido

/// A passkey's public key. libfido2 parses it from CBOR, and verifies signatures with it.
package struct PublicKey: Equatable, Sendable {
  /// The accepted algorithms, the best first (IANA, COSE Algorithms): all authenticators support one of these.
  enum Algorithm: Int, CaseIterable, Sendable {
    case edDSA = -8
    case es256 = -7
    case rs256 = -257
  }

  var algorithm: Algorithm
  /// In libfido2's layout: X and Y, or X, or modulus and exponent.
  var bytes: [UInt8]

  /// True if `signature` was made with this key over the authenticator's data and the digest of the client's data.
  package func verifies(_ signature: [UInt8], of data: AuthenticatorData, _ clientDigest: [UInt8], for party: String)
    -> Bool
  {
    guard (1...PasskeyLimits.signatureBytes).contains(signature.count) else { return false }
    var assertion = fido_assert_new()
    precondition(assertion != nil, "libfido2 has no memory")
    defer { fido_assert_free(&assertion) }
    guard fido_assert_set_clientdata_hash(assertion, clientDigest, clientDigest.count) == FIDO_OK,
      fido_assert_set_rp(assertion, party) == FIDO_OK, fido_assert_set_count(assertion, 1) == FIDO_OK,
      fido_assert_set_authdata_raw(assertion, 0, data.bytes, data.bytes.count) == FIDO_OK,
      fido_assert_set_up(assertion, FIDO_OPT_TRUE) == FIDO_OK,
      fido_assert_set_sig(assertion, 0, signature, signature.count) == FIDO_OK
    else { return false }
    return withKey { fido_assert_verify(assertion, 0, Int32(algorithm.rawValue), $0) == FIDO_OK }
  }

  /// True if the key is valid: a point on the curve, a modulus of the right size.
  var isSound: Bool { withKey { _ in true } }

  private func withKey(_ use: (UnsafeRawPointer) -> Bool) -> Bool {
    switch algorithm {
    case .es256:
      var key = es256_pk_new()
      defer { es256_pk_free(&key) }
      guard let found = key, es256_pk_from_ptr(found, bytes, bytes.count) == FIDO_OK else { return false }
      return use(UnsafeRawPointer(found))
    case .edDSA:
      var key = eddsa_pk_new()
      defer { eddsa_pk_free(&key) }
      guard let found = key, eddsa_pk_from_ptr(found, bytes, bytes.count) == FIDO_OK else { return false }
      return use(UnsafeRawPointer(found))
    case .rs256:
      var key = rs256_pk_new()
      defer { rs256_pk_free(&key) }
      guard let found = key, rs256_pk_from_ptr(found, bytes, bytes.count) == FIDO_OK else { return false }
      return use(UnsafeRawPointer(found))
    }
  }
}

/// A new passkey as presented by its authenticator.
package struct NewCredential: Equatable, Sendable {
  var id: [UInt8]
  package var key: PublicKey

  /// Parses the authenticator's data. Without attestation there is no signature to verify yet: signing in proves
  /// possession of the private key.
  package init(_ data: AuthenticatorData) throws(PasskeyError) {
    guard data.hasCredential else { throw PasskeyError(.malformed, "The authenticator sent no passkey.") }
    for algorithm in PublicKey.Algorithm.allCases {
      guard let found = Self.read(data.bytes, as: algorithm) else { continue }
      guard (1...PasskeyLimits.credentialIDBytes).contains(found.id.count), found.key.isSound else { break }
      self = found
      return
    }
    throw PasskeyError(.algorithm, "The authenticator made no key that can be checked here.")
  }

  private init(id: [UInt8], key: PublicKey) {
    self.id = id
    self.key = key
  }

  /// libfido2 needs to be told the algorithm, and refuses data with another.
  private static func read(_ bytes: [UInt8], as algorithm: PublicKey.Algorithm) -> NewCredential? {
    var credential = fido_cred_new()
    precondition(credential != nil, "libfido2 has no memory")
    defer { fido_cred_free(&credential) }
    guard fido_cred_set_type(credential, Int32(algorithm.rawValue)) == FIDO_OK,
      fido_cred_set_authdata_raw(credential, bytes, bytes.count) == FIDO_OK,
      let id = fido_cred_id_ptr(credential), let key = fido_cred_pubkey_ptr(credential)
    else { return nil }
    return NewCredential(
      id: Array(UnsafeBufferPointer(start: id, count: fido_cred_id_len(credential))),
      key: PublicKey(
        algorithm: algorithm,
        bytes: Array(UnsafeBufferPointer(start: key, count: fido_cred_pubkey_len(credential)))))
  }
}
