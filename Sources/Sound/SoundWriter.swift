import CSndfile

extension Clip {
  /// A kind of file that is written: 16-bit PCM, the lowest byte first.
  public enum FileKind: String, CaseIterable, Sendable {
    case wav
    case caf
  }

  /// The bytes of a file with this sound.
  public func file(_ kind: FileKind) -> [UInt8] {
    let memory = MemoryFile()
    var info = SF_INFO()
    (info.samplerate, info.channels) = (Int32(rate), 1)
    info.format = Int32(
      kind == .wav ? SF_FORMAT_WAV | SF_FORMAT_PCM_16 : SF_FORMAT_CAF | SF_FORMAT_PCM_16 | SF_ENDIAN_LITTLE)
    guard let file = memory.open(SFM_WRITE, &info) else {
      preconditionFailure("libsndfile does not write \(kind.rawValue): \(String(cString: sf_strerror(nil)))")
    }
    let integers = integers
    let count = sf_writef_short(file, integers, sf_count_t(integers.count))
    sf_close(file)
    precondition(Int(count) == integers.count, "libsndfile did not write to memory")
    return memory.written
  }
}
