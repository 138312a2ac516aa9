extension PictureWorkshop {
  /// Writes an audio file anew as AAC in an .m4a, of at most `ImagingLimits.soundLength` seconds, without pictures,
  /// titles, places and whatever else it tells.
  /// - Parameters:
  ///   - source: a regular file, open for reading.
  ///   - target: an empty regular file, open for reading and writing; after an error, what is in it is worth nothing.
  public func sound(_ source: Int32, into target: Int32) async throws(PictureError) {
    _ = try await tool(["sound"], source, target: target, seconds: ImagingLimits.soundSeconds, in: looks)
  }
}
