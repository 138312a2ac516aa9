import CPtrace

/// Room for a few instructions that no program uses: an executable segment is mapped in whole pages, and behind its end
/// the last of them is empty.
enum CodePadding {
  /// A free place of `SnapshotCode.size` bytes, from which the code leads a thread back; nil when there is none.
  static func find(
    _ mappings: [Mapping], of stopped: StoppedProcess, for thread: StoppedProcess.Thread
  ) -> UInt64? {
    let back = thread.registers.resumed().programCounter
    // In a shared mapping the kernel writes nothing for us, and if it did, into the file.
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
      // What an earlier tool left when it was killed may be written over, unless a thread is still in it. That one must
      // not be sent elsewhere either: it would come back here when a third tool has written over this place.
      let isInUse = stopped.threads.contains { (place..<place + size).contains($0.registers.programCounter) }
      if isInUse { return nil }
      if bytes.allSatisfy({ $0 == 0 }) || bytes.starts(with: SnapshotCode.signature) { return place }
    }
    return nil
  }

  /// Where in memory the segment ends that is mapped here, by the program headers of the file.
  private static func segmentEnd(_ mapping: Mapping, header: UInt64, of process: Int32) -> UInt64? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    guard cptrace_read(process, header, &bytes, 4096) == 4096 else { return nil }
    let rest = AddressSpace.page - 1
    return bytes.withUnsafeBytes(ELFSegment.all)?.first { $0.fileOffset & ~rest == mapping.fileOffset }
      .map { mapping.start + ($0.fileOffset & rest) &+ $0.fileSize }
  }
}
