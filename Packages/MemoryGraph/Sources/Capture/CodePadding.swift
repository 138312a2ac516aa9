import CPtrace

/// Finds room for a few instructions that no program uses: an executable segment is mapped in whole pages, and the rest
/// of the last page is empty.
enum CodePadding {
  /// A free place of `SnapshotCode.size` bytes from which the code can return; nil when there is none.
  static func find(
    _ mappings: [Mapping], of stopped: StoppedProcess, for thread: StoppedProcess.Thread
  ) -> UInt64? {
    let back = thread.registers.resumed().programCounter
    // A shared mapping is not writable here, and writing to it would change the file.
    for mapping in mappings
    where mapping.isExecutable && !mapping.isWritable && mapping.isPrivate && mapping.isFile {
      guard let header = mappings.first(where: { $0.path == mapping.path && $0.fileOffset == 0 }),
        let end = segmentEnd(mapping, header: header.start, of: stopped.living)
      else { continue }
      let place = (end + 63) & ~63
      let size = UInt64(SnapshotCode.size)
      guard place >= mapping.start, place + size <= mapping.end, SnapshotCode.leads(from: place, to: back)
      else { continue }
      var bytes = [UInt8](repeating: 1, count: SnapshotCode.size)
      guard cptrace_read(stopped.living, place, &bytes, size) == Int64(size) else { continue }
      // The remains of another tool that was killed may be overwritten, unless a thread is still in them. That thread
      // must not be used either: it would return here after a third tool has overwritten the place.
      let isInUse = stopped.threads.contains { (place..<place + size).contains($0.registers.programCounter) }
      if isInUse { return nil }
      if bytes.allSatisfy({ $0 == 0 }) || bytes.starts(with: SnapshotCode.signature) { return place }
    }
    return nil
  }

  /// The end in memory of the segment mapped here, by the file's program headers.
  private static func segmentEnd(_ mapping: Mapping, header: UInt64, of process: Int32) -> UInt64? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    guard cptrace_read(process, header, &bytes, 4096) == 4096 else { return nil }
    let rest = AddressSpace.page - 1
    let segments = bytes.withUnsafeBytes(ELFSegment.all)
    // The headers are read from memory, where the program may have written anything.
    guard let segment = segments?.first(where: { $0.fileOffset & ~rest == mapping.fileOffset }),
      segment.fileSize <= mapping.size
    else { return nil }
    return mapping.start + (segment.fileOffset & rest) + segment.fileSize
  }
}
