import Wire

/// An answer without a body.
public struct UploadAnswer: Equatable, Sendable {
  public var status: Int
  public var fields: [UploadField]

  private init(_ status: Int, _ fields: [UploadField]) {
    (self.status, self.fields) = (status, [UploadField.version] + fields)
  }

  public static func options(_ offer: UploadOffer) -> UploadAnswer {
    UploadAnswer(
      204,
      [
        UploadField("Tus-Version", Tus.version), UploadField("Tus-Extension", Tus.extensions),
        UploadField("Tus-Max-Size", "\(offer.maxSize)"),
        UploadField("Tus-Checksum-Algorithm", Tus.checksums.map(\.key).joined(separator: ",")),
      ])
  }

  /// - Parameters:
  ///   - offset: bytes that came along; nil if none were sent.
  ///   - expires: seconds since 1970; nil once all has come.
  public static func created(location: String, offset: Int?, expires: Double?) -> UploadAnswer {
    UploadAnswer(201, [UploadField("Location", location)] + offset.map(at) + expires.map(until))
  }

  public static func state(
    offset: Int, length: Int, expires: Double, metadata: UploadMetadata
  ) -> UploadAnswer {
    let told = metadata.text.isEmpty ? [] : [UploadField("Upload-Metadata", metadata.text)]
    return UploadAnswer(200, [at(offset), UploadField("Upload-Length", "\(length)"), until(expires)] + told)
  }

  /// - Parameter expires: nil once all has come.
  public static func received(offset: Int, expires: Double?) -> UploadAnswer {
    UploadAnswer(204, [at(offset)] + expires.map(until))
  }

  public static let terminated = UploadAnswer(204, [])

  private static func at(_ offset: Int) -> UploadField { UploadField("Upload-Offset", "\(offset)") }

  private static func until(_ time: Double) -> UploadField {
    UploadField("Upload-Expires", ResponseHead.date(Int(time)))
  }
}

/// Adds a field that may be missing.
private func + (fields: [UploadField], field: UploadField?) -> [UploadField] { fields + (field.map { [$0] } ?? []) }
