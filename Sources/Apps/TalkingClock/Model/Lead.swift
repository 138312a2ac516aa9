/// The time by which a device is woken ahead of an announcement.
enum Lead {
  /// Seconds, whole ones: at first those of anybody, then as many as 99 of a hundred deliveries to this device needed.
  /// - Parameter times: seconds that its last deliveries took.
  static func seconds(_ times: [Double]) -> Double {
    guard times.count >= ClockLimits.leadTrials else { return ClockLimits.firstLead }
    let sorted = times.sorted()
    let rank = Int((0.99 * Double(sorted.count)).rounded(.up)) - 1
    let asked = (sorted[rank] + ClockLimits.leadMargin).rounded(.up)
    return min(max(asked, ClockLimits.leads.lowerBound), ClockLimits.leads.upperBound)
  }
}
