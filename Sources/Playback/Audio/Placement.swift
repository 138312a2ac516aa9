/// Finds out when a device's frames are heard, from measurements of its delay. Each is a little wrong, since sound
/// servers guess; their median is not. All times are uptime, which nobody can set.
package struct Placement {
  private let rate: Double
  /// The uptime at which frame 0 is heard, by each of the last measurements.
  private var starts: [Double] = []

  package init(rate: Int) { self.rate = Double(rate) }

  /// - Parameters:
  ///   - delay: frames from the next one to be written to the one that is heard now.
  ///   - written: frames that were written so far.
  package mutating func measured(delay: Int, written: Int, uptime: Double) {
    if starts.count == PlaybackLimits.measurements { starts.removeFirst() }
    starts.append(uptime + Double(delay - written) / rate)
  }

  /// To be called when the device starts anew: its frames are counted from 0 again.
  package mutating func restart() { starts = [] }

  /// The uptime at which frame 0 is heard; nil before there are enough measurements.
  package var start: Double? {
    guard starts.count >= PlaybackLimits.leastMeasurements else { return nil }
    let sorted = starts.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The frame that is heard at an uptime.
  package func frame(at uptime: Double) -> Int? { start.map { Int(((uptime - $0) * rate).rounded()) } }

  /// The uptime at which a frame is heard.
  package func uptime(of frame: Int) -> Double? { start.map { $0 + Double(frame) / rate } }
}
