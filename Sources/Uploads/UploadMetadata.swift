import Crypto

/// The field Upload-Metadata: `filename d29ybGQ=,is_draft`, keys with values in base64.
public struct UploadMetadata: Equatable, Sendable {
  /// The values as bytes; empty for a key alone.
  public private(set) var values: [String: [UInt8]] = [:]
  /// The field as it was received, which HEAD repeats.
  public private(set) var text = ""

  public init() {}

  public init(_ text: String) throws(UploadRefusal) {
    guard text.utf8.count <= TusLimits.metadataBytes else {
      throw Self.wrong("it has \(text.utf8.count) bytes; \(TusLimits.metadataBytes) are accepted")
    }
    self.text = text
    if text.utf8.allSatisfy({ $0 == 32 }) { return }
    for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: " ")
      guard let key = parts.first, parts.count <= 2, key.utf8.count <= TusLimits.keyBytes,
        key.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
      else { throw Self.wrong("\"\(pair.prefix(40))\" is no key with a value in base64") }
      var value: [UInt8] = []
      if parts.count == 2 {
        var decoder = Base64Decoder()
        guard let bytes = decoder.decode(parts[1].utf8), decoder.isComplete else {
          throw Self.wrong("the value of \(key) is no base64")
        }
        value = bytes
      }
      guard values.updateValue(value, forKey: String(key)) == nil else { throw Self.wrong("\(key) comes twice") }
    }
    guard values.count <= TusLimits.metadataValues else {
      throw Self.wrong("it has \(values.count) values; \(TusLimits.metadataValues) are accepted")
    }
  }

  /// A value as text; nil if it is missing, empty or not UTF-8.
  public subscript(_ key: String) -> String? {
    guard let bytes = values[key], !bytes.isEmpty else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func wrong(_ what: String) -> UploadRefusal {
    UploadRefusal(
      .malformed, "Upload-Metadata cannot be read: \(what).", help: "Send key and base64, pairs separated by commas.")
  }
}
