import CAsound
import Glibc

/// An open device of ALSA that plays 16-bit samples without blocking. Confined to one thread.
final class SoundDevice {
  enum Step: Equatable {
    /// So many frames were taken.
    case taken(Int)
    /// The buffer is full.
    case full
    /// It ran out of sound, or was suspended, and starts anew with an empty buffer.
    case restarted
  }

  let bufferFrames: Int
  private let handle: OpaquePointer
  private let name: String
  private let rate: Int
  private let channels: Int

  init(_ name: String, rate: Int) throws(PlaybackError) {
    casound_keep_quiet()
    var opened: OpaquePointer?
    let code = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard code == 0, let opened else {
      snd_config_update_free_global()
      throw PlaybackError("The sound device \(name) cannot be opened: \(Self.words(code)).")
    }
    (handle, self.name, self.rate) = (opened, name, rate)
    do throws(PlaybackError) {
      (channels, bufferFrames) = try Self.prepare(opened, name, rate)
    } catch {
      snd_pcm_close(opened)
      snd_config_update_free_global()
      throw error
    }
  }

  deinit {
    // The samples that still wait in it are not wanted any more; at the end of a sound they are silence.
    snd_pcm_drop(handle)
    snd_pcm_close(handle)
    // ALSA's tree of settings has a megabyte.
    snd_config_update_free_global()
  }

  /// - Returns: the channels, and the frames of its buffer.
  private static func prepare(
    _ handle: OpaquePointer, _ name: String, _ rate: Int
  ) throws(PlaybackError) -> (Int, Int) {
    func check(_ code: Int32, _ what: String) throws(PlaybackError) {
      if code < 0 { throw PlaybackError("The sound device \(name) does not take \(what): \(words(code)).") }
    }
    var hardware: OpaquePointer?
    try check(snd_pcm_hw_params_malloc(&hardware), "settings")
    defer { snd_pcm_hw_params_free(hardware) }
    try check(snd_pcm_hw_params_any(handle, hardware), "any sound")
    try check(snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "samples in turn")
    try check(snd_pcm_hw_params_set_format(handle, hardware, SND_PCM_FORMAT_S16_LE), "samples of 16 bits")
    var channels: UInt32 = 1
    try check(snd_pcm_hw_params_set_channels_near(handle, hardware, &channels), "one channel")
    snd_pcm_hw_params_set_rate_resample(handle, hardware, 1)
    try check(
      snd_pcm_hw_params_set_rate(handle, hardware, UInt32(rate), 0),
      "\(rate) samples a second (plughw: in the place of hw: converts)")
    var buffer = snd_pcm_uframes_t(Double(rate) * PlaybackLimits.bufferSeconds)
    var period = snd_pcm_uframes_t(Double(rate) * PlaybackLimits.periodSeconds)
    snd_pcm_hw_params_set_period_size_near(handle, hardware, &period, nil)
    snd_pcm_hw_params_set_buffer_size_near(handle, hardware, &buffer)
    try check(snd_pcm_hw_params(handle, hardware), "these settings")
    snd_pcm_hw_params_get_buffer_size(hardware, &buffer)
    snd_pcm_hw_params_get_period_size(hardware, &period, nil)
    var software: OpaquePointer?
    try check(snd_pcm_sw_params_malloc(&software), "settings")
    defer { snd_pcm_sw_params_free(software) }
    try check(snd_pcm_sw_params_current(handle, software), "settings")
    // It starts with the first period that is written: what is measured then is a device that plays.
    snd_pcm_sw_params_set_start_threshold(handle, software, period)
    snd_pcm_sw_params_set_avail_min(handle, software, period)
    try check(snd_pcm_sw_params(handle, software), "these settings")
    return (Int(channels), Int(buffer))
  }

  static func words(_ code: Int32) -> String { String(cString: snd_strerror(code)) }

  /// Frames that may be written now; nil after it had to start anew.
  func room() throws(PlaybackError) -> Int? {
    let count = snd_pcm_avail_update(handle)
    if count >= 0 { return min(count, bufferFrames) }
    try recover(Int32(count))
    return nil
  }

  /// Frames from one that is written now to the one that is heard now; nil if it does not say.
  func delay() -> Int? {
    var frames: snd_pcm_sframes_t = 0
    guard snd_pcm_delay(handle, &frames) == 0 else { return nil }
    return frames
  }

  /// Writes samples of one channel, as many as it takes.
  func write(_ samples: ArraySlice<Int16>) throws(PlaybackError) -> Step {
    let count: snd_pcm_sframes_t
    if channels == 1 {
      count = samples.withUnsafeBufferPointer { snd_pcm_writei(handle, $0.baseAddress, snd_pcm_uframes_t($0.count)) }
    } else {
      let all = samples.flatMap { repeatElement($0, count: channels) }
      count = all.withUnsafeBufferPointer {
        snd_pcm_writei(handle, $0.baseAddress, snd_pcm_uframes_t(samples.count))
      }
    }
    if count >= 0 { return .taken(count) }
    if count == -Int(EAGAIN) { return .full }
    try recover(Int32(count))
    return .restarted
  }

  private func recover(_ code: Int32) throws(PlaybackError) {
    if code == -EPIPE || code == -ESTRPIPE || code == -EINTR, snd_pcm_prepare(handle) == 0 { return }
    throw PlaybackError("The sound device \(name) has failed: \(Self.words(code)).")
  }

  /// Waits until the device takes more, the descriptor is readable, or the time is over.
  func wait(or descriptor: Int32, atMost seconds: Double) {
    let count = max(0, snd_pcm_poll_descriptors_count(handle))
    var polled = [pollfd](repeating: pollfd(), count: Int(count))
    polled.withUnsafeMutableBufferPointer { _ = snd_pcm_poll_descriptors(handle, $0.baseAddress, UInt32(count)) }
    polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    poll(&polled, nfds_t(polled.count), Int32(max(1, (seconds * 1000).rounded(.up))))
    // Plug-ins translate what their descriptors say, and read what woke them.
    var events: UInt16 = 0
    polled.withUnsafeMutableBufferPointer {
      _ = snd_pcm_poll_descriptors_revents(handle, $0.baseAddress, UInt32(count), &events)
    }
  }
}
