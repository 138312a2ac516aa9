/// The moment in which a notification comes to a device.
public struct DeviceState: Equatable, Sendable {
  public var isLocked = false
  /// The app that it belongs to is open in front.
  public var isInForeground = false
  /// The device is switched to silent.
  public var isSilenced = false
  /// It is a quiet time: at night, or while the person does not want to be disturbed.
  public var isQuiet = false
  public var isInCar = false
  /// An older version of it is on the screen, and only changes.
  public var isShown = false
  /// The parts of this notification that the open app presents; nil if it does not say, and the content decides.
  public var appPresents: [ForegroundOption]?

  public init() {}

  /// Reads {"locked", "foreground", "silenced", "quiet", "car", "presents"}; what is absent is not so.
  public static func check(_ text: [UInt8]) -> Result<DeviceState, Refusal> {
    .reading(text) { json in
      var faults = Faults()
      let state = DeviceState(json, at: [], &faults)
      return faults.isEmpty ? .success(state) : .failure(faults.refusal)
    }
  }

  init(_ json: JSONValue, at path: [UInt8], _ faults: inout Faults) {
    guard faults.isObject(json, at: Array(path.dropLast())) else { return }
    isLocked = faults.bool(json, Field(path, "locked")) ?? false
    isInForeground = faults.bool(json, Field(path, "foreground")) ?? false
    isSilenced = faults.bool(json, Field(path, "silenced")) ?? false
    isQuiet = faults.bool(json, Field(path, "quiet")) ?? false
    isInCar = faults.bool(json, Field(path, "car")) ?? false
    isShown = faults.bool(json, Field(path, "shown")) ?? false
    if json["presents"] != nil {
      appPresents = faults.words(json, Field(path, "presents"), ForegroundOption.self)
    }
  }
}

/// The way in which a device presents a notification.
public struct Presentation: Equatable, Sendable {
  /// The reason why less is presented than the content asks for; if there are several, the weightiest.
  public enum Reason: Sendable, Named {
    case notDetermined, denied, silent, foreground, alertsOff, passive, provisional, quiet, changed, silenced, soundOff

    static var names: [(StaticString, Self)] {
      [
        ("not_determined", .notDetermined), ("denied", .denied), ("silent", .silent), ("foreground", .foreground),
        ("alerts_off", .alertsOff), ("passive", .passive), ("provisional", .provisional), ("quiet", .quiet),
        ("changed", .changed), ("silenced", .silenced), ("sound_off", .soundOff),
      ]
    }
    static var accepted: StaticString { "" }
    public var code: String { String(decoding: name, as: UTF8.self) }
  }

  /// For a short time over what is on the screen.
  public var banner = false
  public var lockScreen = false
  /// In the list of those that were missed.
  public var list = false
  public var car = false
  public var sound = false
  public var vibration = false
  /// It calls for attention. A platform that gives no say in sound and vibration apart, such as a browser, does so in
  /// its own way.
  public var rings = false
  /// It remains in sight until somebody acts, where a platform can do that.
  public var stays = false
  /// The number on the icon changes.
  public var badge = false
  /// The text may be read; otherwise only that there is something.
  public var title = true
  public var subtitle = true
  public var body = true
  /// The app is told, and nothing is shown.
  public var wakesApp = false
  public var reason: Reason?

  public init(_ content: Content, of category: Category? = nil, settings: DeviceSettings, state: DeviceState) {
    let options = category?.options ?? []
    if content.isSilent {
      (wakesApp, reason) = (true, .silent)
      return
    }
    switch settings.authorization {
    case .notDetermined, .denied:
      reason = settings.authorization == .denied ? .denied : .notDetermined
      return
    case .provisional:
      (list, reason) = (settings.list, .provisional)
      return
    case .authorized: break
    }
    let level = content.interruptionLevel
    let isCritical = level == .critical && settings.critical
    let passesQuiet = isCritical || (level >= .timeSensitive && settings.timeSensitive)
    let isHeld = state.isQuiet && !passesQuiet
    let isAlert = settings.alert && level != .passive && !isHeld
    var isLeftOut = false
    if state.isInForeground && !state.isLocked {
      // In the open app, it is presented as the app says, or else as the content says.
      let presents = state.appPresents ?? content.foreground
      banner = isAlert && presents.contains(.banner)
      list = settings.list && presents.contains(.list)
      sound = presents.contains(.sound)
      badge = presents.contains(.badge)
      isLeftOut = !presents.contains(.banner) || (content.json["sound"] != nil && !sound)
    } else {
      banner = isAlert && !state.isLocked
      lockScreen = isAlert && settings.lockScreen && state.isLocked
      list = settings.list
      (sound, badge) = (true, true)
    }
    car = isAlert && settings.car && state.isInCar && options.contains(.allowInCar)
    badge = badge && content.json["badge"] != nil && settings.badge
    // A critical one rings with each change.
    let isOnlyChanged = state.isShown && !isCritical
    let sounds = sound && level != .passive && !isHeld && !isOnlyChanged
    let isSeen = banner || lockScreen
    rings = isSeen && !isOnlyChanged && (settings.sound || settings.vibration)
    stays = isSeen && level >= .timeSensitive
    vibration = sounds && !content.vibration.isEmpty && settings.vibration
    sound = sounds && content.json["sound"] != nil && (isCritical || (settings.sound && !state.isSilenced))
    if state.isLocked, !settings.previews {
      title = options.contains(.hiddenPreviewsShowTitle)
      subtitle = options.contains(.hiddenPreviewsShowSubtitle)
      body = false
    }
    let isQuieter = content.json["sound"] != nil && !sound
    if isHeld {
      reason = .quiet
    } else if isLeftOut {
      reason = .foreground
    } else if !settings.alert {
      reason = .alertsOff
    } else if level == .passive {
      reason = .passive
    } else if isOnlyChanged {
      reason = .changed
    } else if isQuieter {
      reason = settings.sound ? .silenced : .soundOff
    }
  }

  /// As JSON.
  public var text: [UInt8] { json.text }

  var json: JSONValue {
    var members: [JSONMember] = []
    let all: [(StaticString, Bool)] = [
      ("banner", banner), ("lock_screen", lockScreen), ("list", list), ("car", car), ("sound", sound),
      ("vibration", vibration), ("rings", rings), ("stays", stays), ("badge", badge), ("title", title),
      ("subtitle", subtitle), ("body", body), ("wakes_app", wakesApp),
    ]
    for (name, value) in all { members.append(JSONMember(name, .bool(value))) }
    if let reason { members.append(JSONMember("reason", .string(reason.name))) }
    return .object(members)
  }
}
