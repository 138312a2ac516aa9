import Glibc
import Store

/// The keys to a bucket.
package struct Credentials: Equatable, Sendable {
  package var key: String
  package var secret: String
  /// The session token of keys that are lent for some time; nil for other keys.
  package var token: String?

  package init(key: String, secret: String, token: String? = nil) {
    (self.key, self.secret, self.token) = (key, secret, token)
  }
}

extension Credentials {
  private static let names = ["aws_access_key_id", "aws_secret_access_key", "aws_session_token"]
  /// Bytes of a file of keys: each key has below a hundred, a token some thousands.
  private static let fileBytes = 64 << 10

  /// Reads them from the address's file, or else from the variables.
  /// - Throws: `.bucket` if one is missing.
  static func find(
    _ address: BucketAddress, environment: [String: String]
  ) throws(StoreError) -> Credentials {
    let source = address.credentials ?? "the environment"
    var values: [String: String] = [:]
    if let path = address.credentials {
      values = read(try text(path))
    } else {
      for name in names { values[name] = environment[name.uppercased()] }
    }
    guard let key = values[names[0]], let secret = values[names[1]], !key.isEmpty, !secret.isEmpty else {
      throw StoreError(
        .bucket,
        "The keys to the object store are missing: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, as variables or as "
          + "lines of the file that ?credentials= names", context: source)
    }
    return Credentials(key: key, secret: secret, token: values[names[2]])
  }

  /// The values of a file in the manner of `~/.aws/credentials`, or of a list of variables; of several sections, the
  /// first counts.
  package static func read(_ text: String) -> [String: String] {
    var values: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimming()
      if line.hasPrefix("["), !values.isEmpty { break }
      guard let equals = line.firstIndex(of: "="), !line.hasPrefix("#") else { continue }
      values[line[..<equals].trimming().lowercased()] = String(line[line.index(after: equals)...].trimming())
    }
    return values
  }

  private static func text(_ path: String) throws(StoreError) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw StoreError(
        .bucket, "The file with the keys to the object store cannot be read: \(String(cString: strerror(errno)))",
        context: path)
    }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: fileBytes)
    let count = Glibc.read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

extension Substring {
  /// Without the spaces at both ends.
  fileprivate func trimming() -> Substring {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
