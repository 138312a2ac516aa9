import COpenSSL

/// A public key on the curve P-256 (FIPS 186-5).
public struct P256PublicKey: Hashable, Sendable {
  /// The point, uncompressed (SEC 1, section 2.3.3): a 4, then X and Y of 32 bytes each.
  public let bytes: [UInt8]

  /// Nil for bytes that are not an uncompressed point on the curve.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 65, bytes[0] == 4, P256.isPoint(bytes) else { return nil }
    self.bytes = bytes
  }

  /// Takes a point that was computed here, without checking it.
  fileprivate init(point bytes: [UInt8]) { self.bytes = bytes }

  /// True when the signature was made with this key over the bytes, by ES256 (RFC 7518 section 3.4): ECDSA with
  /// SHA-256, R and S of 32 bytes each. False for a signature of any other length.
  public func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    guard signature.count == 64, let pair = ECDSA_SIG_new() else { return false }
    defer { ECDSA_SIG_free(pair) }
    let (r, s) = (Array(signature[..<32]), Array(signature[32...]))
    // On success `pair` owns both numbers.
    guard ECDSA_SIG_set0(pair, BN_bin2bn(r, 32, nil), BN_bin2bn(s, 32, nil)) == 1 else { return false }
    var encoded: UnsafeMutablePointer<UInt8>?
    let length = i2d_ECDSA_SIG(pair, &encoded)
    defer { CRYPTO_free(encoded, #file, #line) }
    let key = P256.key(point: self.bytes)
    defer { EVP_PKEY_free(key) }
    guard length > 0, let encoded, let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    // A wrong signature leaves an error in the thread's queue, which the next TLS session would take for its own.
    defer { ERR_clear_error() }
    return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, encoded, Int(length), bytes, bytes.count) == 1
  }
}

/// A private key on the curve P-256: signs, and agrees on a shared secret.
public struct P256PrivateKey: Sendable {
  /// The private number, 32 bytes, to be kept secret.
  public let bytes: [UInt8]
  public let publicKey: P256PublicKey

  /// A new random key.
  public init() {
    // About one in four thousand million numbers is not below the curve's order.
    while true {
      guard let key = P256PrivateKey(Digest.random(32)) else { continue }
      self = key
      return
    }
  }

  /// Nil unless the bytes are 32 and a number from 1 to below the curve's order.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32, let point = P256.point(of: bytes) else { return nil }
    self.bytes = bytes
    publicKey = P256PublicKey(point: point)
  }

  /// An ES256 signature (RFC 7518 section 3.4): 64 bytes, different at each call.
  public func sign(_ bytes: [UInt8]) -> [UInt8] {
    let key = P256.key(point: publicKey.bytes, number: self.bytes)
    defer { EVP_PKEY_free(key) }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var encoded = [UInt8](repeating: 0, count: 80)
    var length = encoded.count
    let isSigned =
      EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestSign(context, &encoded, &length, bytes, bytes.count) == 1
    precondition(isSigned, "OpenSSL cannot sign")
    return encoded.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      let pair = d2i_ECDSA_SIG(nil, &start, length)
      defer { ECDSA_SIG_free(pair) }
      return P256.bytes(of: ECDSA_SIG_get0_r(pair)) + P256.bytes(of: ECDSA_SIG_get0_s(pair))
    }
  }

  /// The secret that both sides compute from their private and the other's public key (ECDH, SP 800-56A): 32 bytes. It
  /// is not a key yet; `HKDF` derives keys from it.
  public func sharedSecret(with other: P256PublicKey) -> [UInt8] { P256.product(of: other.bytes, by: bytes) }
}

/// The curve's arithmetic by OpenSSL.
enum P256 {
  static func isPoint(_ bytes: [UInt8]) -> Bool {
    let point = EC_POINT_new(curve)
    defer {
      EC_POINT_free(point)
      ERR_clear_error()
    }
    // Refuses points off the curve, and numbers that are too large.
    return EC_POINT_oct2point(curve, point, bytes, bytes.count, nil) == 1
  }

  /// The product of a number and the curve's generator; nil if the number is 0, or not below the order.
  static func point(of number: [UInt8]) -> [UInt8]? {
    let factor = secretNumber(number)
    let point = EC_POINT_new(curve)
    defer {
      BN_clear_free(factor)
      EC_POINT_free(point)
    }
    guard BN_is_zero(factor) == 0, BN_cmp(factor, EC_GROUP_get0_order(curve)) < 0 else { return nil }
    return [UInt8](unsafeUninitializedCapacity: 65) { buffer, initialized in
      let isDone =
        EC_POINT_mul(curve, point, factor, nil, nil, nil) == 1
        && EC_POINT_point2oct(curve, point, POINT_CONVERSION_UNCOMPRESSED, buffer.baseAddress, 65, nil) == 65
      precondition(isDone, "OpenSSL cannot compute on P-256")
      initialized = 65
    }
  }

  /// The X of the product of a point and a number, 32 bytes. Computed on the curve itself: EVP_PKEY_derive makes two
  /// keys of it first and checks the peer's for a second time, which takes as long as the product.
  static func product(of point: [UInt8], by number: [UInt8]) -> [UInt8] {
    let factor = secretNumber(number)
    let (given, product, x) = (EC_POINT_new(curve), EC_POINT_new(curve), BN_new())
    defer {
      BN_clear_free(factor)
      BN_clear_free(x)
      EC_POINT_free(given)
      EC_POINT_clear_free(product)
    }
    let isDone =
      EC_POINT_oct2point(curve, given, point, point.count, nil) == 1
      && EC_POINT_mul(curve, product, nil, given, factor, nil) == 1
      && EC_POINT_get_affine_coordinates(curve, product, x, nil, nil) == 1
    precondition(isDone, "OpenSSL cannot agree on a secret")
    return bytes(of: x)
  }

  /// A number that OpenSSL handles in a time which does not depend on it; to be cleared and freed by the caller.
  private static func secretNumber(_ bytes: [UInt8]) -> OpaquePointer? {
    let number = BN_bin2bn(bytes, Int32(bytes.count), nil)
    BN_set_flags(number, BN_FLG_CONSTTIME)
    return number
  }

  /// The number in 32 bytes, big-endian.
  static func bytes(of number: OpaquePointer?) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, initialized in
      precondition(BN_bn2binpad(number, buffer.baseAddress, 32) == 32, "A number of P-256 has 32 bytes")
      initialized = 32
    }
  }

  /// A key for OpenSSL, to be freed by the caller.
  /// - Parameter number: the private number; without it the key can only verify, or be the peer of a key agreement.
  static func key(point: [UInt8], number: [UInt8]? = nil) -> OpaquePointer {
    let factor = number.flatMap { BN_bin2bn($0, Int32($0.count), nil) }
    let builder = OSSL_PARAM_BLD_new()
    let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
    defer {
      EVP_PKEY_CTX_free(context)
      OSSL_PARAM_BLD_free(builder)
      BN_clear_free(factor)
    }
    // The builder points into `point` until the parameters are made.
    let parameters = point.withUnsafeBufferPointer { point in
      copenssl_push_p256(builder, point.baseAddress, point.count, factor) == 1
        ? OSSL_PARAM_BLD_to_param(builder) : nil
    }
    defer { OSSL_PARAM_free(parameters) }
    var key: OpaquePointer?
    let selection = Int32(number == nil ? copenssl_public_half : copenssl_both_halves)
    guard parameters != nil, EVP_PKEY_fromdata_init(context) == 1,
      EVP_PKEY_fromdata(context, &key, selection, parameters) == 1, let key
    else { preconditionFailure("OpenSSL takes no key of P-256") }
    return key
  }

  /// Made once and never freed; nothing changes it, so threads may use it at the same time.
  nonisolated(unsafe) private static let curve: OpaquePointer = {
    guard let curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else {
      preconditionFailure("OpenSSL does not know P-256")
    }
    return curve
  }()
}
