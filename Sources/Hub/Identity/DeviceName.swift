// The order matters: Chrome also claims to be Safari, Edge to be Chrome, and a phone's system names a computer's.
private let browsers = [
  ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
  ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
]
private let systems = [
  ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
  ("Macintosh", "Mac"), ("Linux", "Linux"),
]

/// The default name of a device, by its browser: "Firefox on Linux".
func deviceName(userAgent: String?) -> String {
  guard let agent = userAgent else { return "Device" }
  let browser = browsers.first { agent.contains($0.0) }?.1
  let system = systems.first { agent.contains($0.0) }?.1
  return switch (browser, system) {
  case (let browser?, let system?): "\(browser) on \(system)"
  case (let one?, nil), (nil, let one?): one
  case (nil, nil): "Device"
  }
}

/// A device's name in German, also behind a person's: "Ada, Firefox unter Linux". One that somebody has chosen stays as
/// it is. Pages have the same rule (/people/told.js).
public func germanDeviceName(_ name: String) -> String {
  func germanized(_ made: String, _ german: String) -> String? {
    name == made || name.hasSuffix(", \(made)") ? "\(name.dropLast(made.count))\(german)" : nil
  }
  for (_, browser) in browsers {
    for (_, system) in systems {
      let on = system.hasPrefix("i") || system == "Mac" ? "auf dem" : "unter"
      if let german = germanized("\(browser) on \(system)", "\(browser) \(on) \(system)") { return german }
    }
  }
  return germanized("Device", "Gerät") ?? name
}
