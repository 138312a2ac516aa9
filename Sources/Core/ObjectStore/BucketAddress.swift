public import Store
import Wire

/// The address of a bucket in an object store that speaks S3's protocol, and of a folder in it:
/// `s3://BUCKET/FOLDER?endpoint=https://HOST:PORT&region=REGION&path-style&credentials=FILE`.
///
/// | Part | Without it |
/// |---|---|
/// | `FOLDER` | all of the bucket |
/// | `endpoint` | Amazon's, by the region |
/// | `region` | us-east-1 |
/// | `path-style` | the bucket's name stands in the host's name, and not in the path |
/// | `credentials` | keys are in the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY |
public struct BucketAddress: Equatable, Sendable {
  /// The whole text; there are no secrets in it.
  public let text: String
  package let region: String
  /// The file with the keys; nil for variables.
  package let credentials: String?
  /// Such as "https://club.s3.eu-central-1.amazonaws.com".
  package let origin: String
  /// The value of the field Host.
  package let host: String
  /// The path of the bucket, with a slash at both ends, and that of the folder in it, with one at its end.
  package let root, folder: String
  /// The part of an object's path before its name.
  package var path: String { root + folder }

  /// - Throws: `.open` with what is wrong and what is accepted.
  public init(_ text: String) throws(StoreError) {
    let scheme = "s3://"
    guard text.hasPrefix(scheme) else { throw Self.wrong("it does not begin with s3://") }
    self.text = text
    let parts = text.dropFirst(scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].contains("@"), !parts[0].contains(":") else {
      throw Self.wrong(
        "keys do not belong in an address; ?credentials=FILE and the variables AWS_ACCESS_KEY_ID and "
          + "AWS_SECRET_ACCESS_KEY are accepted")
    }
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    let (bucket, folders) = (names[0], names.dropFirst().filter { !$0.isEmpty })
    guard (3...63).contains(bucket.utf8.count), bucket.isAlphanumeric(or: "-.") else {
      throw Self.wrong("\"\(bucket)\" is no bucket; 3 to 63 letters, digits, dots and hyphens are accepted")
    }
    guard folders.allSatisfy({ $0.isAlphanumeric(or: Self.unreserved) && $0 != "." && $0 != ".." }) else {
      throw Self.wrong("the folder has other characters than letters, digits and . _ ~ -")
    }
    let options = try Self.options(parts.count > 1 ? parts[1] : "")
    region = options["region"] ?? "us-east-1"
    credentials = options["credentials"]
    let (protocolName, authority) = try Self.endpoint(options["endpoint"] ?? "https://s3.\(region).amazonaws.com")
    let isInPath = options["path-style"] != nil
    host = isInPath ? authority : "\(bucket).\(authority)"
    origin = "\(protocolName)://\(host)"
    root = isInPath ? "/\(bucket)/" : "/"
    folder = folders.map { "\($0)/" }.joined()
  }

  private static func options(_ text: Substring) throws(StoreError) -> [String: String] {
    var options: [String: String] = [:]
    for part in text.split(separator: "&") {
      let (name, value) = (part.prefix { $0 != "=" }, part.drop { $0 != "=" }.dropFirst())
      switch name {
      case "path-style" where value.isEmpty: options["path-style"] = ""
      case "region" where !value.isEmpty && value.isAlphanumeric(or: unreserved): options["region"] = String(value)
      case "endpoint", "credentials":
        guard !value.isEmpty else { throw wrong("\(name) has no value") }
        options[String(name)] = String(value)
      default:
        throw wrong("\"\(name)\" is unknown; endpoint=, region=, path-style and credentials= are accepted")
      }
    }
    return options
  }

  /// The protocol, and the authority as libcurl writes it into the field Host: without the usual port.
  private static func endpoint(_ text: String) throws(StoreError) -> (String, String) {
    for (name, port) in [("https", ":443"), ("http", ":80")] where text.hasPrefix("\(name)://") {
      var authority = text.dropFirst(name.count + 3)
      while authority.hasSuffix("/") { authority.removeLast() }
      if authority.hasSuffix(port) { authority.removeLast(port.count) }
      guard !authority.isEmpty, authority.isAlphanumeric(or: unreserved + ":[]") else { break }
      return (name, authority.lowercased())
    }
    throw wrong("the endpoint is \"\(text)\"; https://HOST or https://HOST:PORT is accepted")
  }

  /// The unreserved signs (RFC 3986 section 2.3), which are signed as they stand.
  private static let unreserved = "-._~"

  private static func wrong(_ words: String) -> StoreError {
    StoreError(.open, "The address of the object store cannot be used: \(words)", context: "s3://BUCKET/FOLDER?…")
  }
}
