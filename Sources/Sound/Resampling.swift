import CSamplerate

extension Clip {
  /// The same sound with another number of samples a second, by libsamplerate; the clip itself if it has that number.
  public func resampled(to rate: Int) -> Clip {
    guard rate != self.rate, !samples.isEmpty else { return Clip(samples: samples, rate: rate) }
    let ratio = Double(rate) / Double(self.rate)
    let room = Int((Double(samples.count) * ratio).rounded(.up)) + 1
    var code: Int32 = 0
    let resampled = [Float](unsafeUninitializedCapacity: room) { target, count in
      samples.withUnsafeBufferPointer { source in
        var data = SRC_DATA()
        data.data_in = source.baseAddress
        data.data_out = target.baseAddress
        data.input_frames = source.count
        data.output_frames = room
        data.src_ratio = ratio
        code = src_simple(&data, Int32(SRC_SINC_FASTEST), 1)
        count = data.output_frames_gen
      }
    }
    precondition(code == 0, "libsamplerate: \(String(cString: src_strerror(code)))")
    return Clip(samples: resampled, rate: rate)
  }
}
