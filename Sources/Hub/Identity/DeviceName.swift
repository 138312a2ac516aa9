/// The default name of a device, by its browser: "Firefox on Linux".
func deviceName(userAgent: String?) -> String {
  guard let agent = userAgent else { return "Device" }
  // The order matters: Chrome also claims to be Safari, Edge to be Chrome, and a phone's system names a computer's.
  let browsers = [
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
  ]
  let systems = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
    ("Macintosh", "Mac"), ("Linux", "Linux"),
  ]
  let browser = browsers.first { agent.contains($0.0) }?.1
  let system = systems.first { agent.contains($0.0) }?.1
  return switch (browser, system) {
  case (let browser?, let system?): "\(browser) on \(system)"
  case (let one?, nil), (nil, let one?): one
  case (nil, nil): "Device"
  }
}
