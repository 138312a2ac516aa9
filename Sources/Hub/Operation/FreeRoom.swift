import Store

extension Hub {
  /// Bytes that are free on the disk of the data folder.
  public var freeBytes: Int { FreeRoom(at: dataFolder)?.bytes ?? .max }

  /// Bytes that are free on the disk of large blobs, to which `blobs` in the data folder may lead.
  public var freeBytesForBlobs: Int { FreeRoom(at: "\(dataFolder)/blobs")?.bytes ?? freeBytes }
}
