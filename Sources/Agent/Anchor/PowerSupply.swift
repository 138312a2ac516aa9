import Glibc
import Lifecycle

/// The machine's batteries and chargers, as the kernel tells them (Linux, ABI/testing/sysfs-class-power).
package struct PowerSupply: Sendable {
  package struct Reading: Equatable, Sendable {
    /// 0 to 1; nil without a battery.
    package var level: Double?
    /// Nil if nothing is known of a battery or a charger: a machine that is plugged in for good.
    package var isCharging: Bool?
    package var volts: Double?

    package init(level: Double? = nil, isCharging: Bool? = nil, volts: Double? = nil) {
      (self.level, self.isCharging, self.volts) = (level, isCharging, volts)
    }

    /// True unless it lives on its battery.
    package var isPlugged: Bool { isCharging ?? true }
  }

  package static let usual = "/sys/class/power_supply"
  private let folder: String

  package init(_ folder: String = PowerSupply.usual) { self.folder = folder }

  package func read() -> Reading {
    var reading = Reading()
    var levels: [Double] = []
    var online: Bool?
    var charging: Bool?
    for name in names {
      let supply = "\(folder)/\(name)"
      // Batteries of mice and headphones.
      if text("\(supply)/scope") == "Device" { continue }
      if text("\(supply)/type") == "Battery" {
        if text("\(supply)/present") == "0" { continue }
        if let level = level(supply) { levels.append(level) }
        if let volts = number("\(supply)/voltage_now"), reading.volts == nil { reading.volts = volts / 1e6 }
        switch text("\(supply)/status") {
        case "Charging", "Full": charging = true
        case "Discharging": charging = charging ?? false
        default: break
        }
      } else if let plugged = number("\(supply)/online") {
        online = (online ?? false) || plugged > 0
      }
    }
    if !levels.isEmpty { reading.level = levels.reduce(0, +) / Double(levels.count) }
    reading.isCharging = online == true ? true : charging ?? online
    return reading
  }

  private var names: [String] {
    let names = (namesInFolder(folder) ?? []).filter { !$0.hasPrefix(".") }
    return names.prefix(AgentWatchLimits.powerSupplies).sorted()
  }

  /// By its percentage, or by what is in it of what can be.
  private func level(_ supply: String) -> Double? {
    if let percent = number("\(supply)/capacity") { return min(1, max(0, percent / 100)) }
    for unit in ["energy", "charge"] {
      if let now = number("\(supply)/\(unit)_now"), let full = number("\(supply)/\(unit)_full"), full > 0 {
        return min(1, max(0, now / full))
      }
    }
    return nil
  }

  private func number(_ path: String) -> Double? { text(path).flatMap(Double.init) }

  private func text(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: AgentWatchLimits.powerBytes)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
  }
}
