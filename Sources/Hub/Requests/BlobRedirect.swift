public import Server
import Settings
public import Store
import Wire

extension Hub {
  /// Sends a caller on to the object store that has a file, where the owner wants that (`blob_redirects`): to an
  /// address that is good for some minutes. To be called when the caller's right has been checked.
  /// - Parameters:
  ///   - type: the file's Content-Type.
  ///   - attachment: the field with its name.
  /// - Returns: nil if the hub itself has to answer.
  public func redirect(
    _ request: Request, to name: BlobName, type: String, _ attachment: Response.Field
  ) async throws(HTTPError) -> Response? {
    // The address is signed for GET alone.
    guard store.blobs.hasBucket, options["blob_redirects"] == "on", request.head.method == .get else { return nil }
    let address = try await stored { () throws(StoreError) in
      try await store.blobs.address(of: name, type: type, disposition: attachment.value)
    }
    return address.map { address in
      Response(
        status: 307, contentType: "text/plain; charset=utf-8", body: .bytes([]), cacheControl: "private, no-store",
        fields: [Response.Field("Location", address)])
    }
  }
}
