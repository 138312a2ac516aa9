extension PictureWorkshop {
  /// Writes a sound as AAC in MP4, without pictures and without what tells of its origin.
  public func sound(_ source: Int32, into target: Int32) async throws(PictureError) {
    throw .notInstalled("sounds")
  }
}
