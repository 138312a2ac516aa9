/// The person's settings for notifications on a device, which may change at any time (UNNotificationSettings). Apps may
/// read them.
public struct DeviceSettings: Equatable, Sendable {
  public enum Authorization: Sendable, Named {
    /// Nobody was asked yet.
    case notDetermined
    case denied
    /// Nobody was asked; notifications come quietly, into the list.
    case provisional
    case authorized

    static var names: [(StaticString, Self)] {
      [
        ("not_determined", .notDetermined), ("denied", .denied), ("provisional", .provisional),
        ("authorized", .authorized),
      ]
    }
    static var accepted: StaticString { "not_determined, denied, provisional or authorized is accepted" }
  }

  public var authorization: Authorization
  public var alert = true
  public var badge = true
  public var sound = true
  public var vibration = true
  public var car = true
  public var lockScreen = true
  /// The list of those that were missed.
  public var list = true
  /// The text is shown on a locked screen; otherwise only that there is something.
  public var previews = true
  /// Time-sensitive ones pass a quiet time.
  public var timeSensitive = false
  /// Critical ones pass a quiet time and a silenced device.
  public var critical = true

  public init(authorization: Authorization = .notDetermined) {
    self.authorization = authorization
  }

  public static func check(_ text: [UInt8]) -> Result<DeviceSettings, Refusal> {
    .reading(text) { json in
      var faults = Faults()
      let settings = DeviceSettings(json, at: [], &faults)
      return faults.isEmpty ? .success(settings) : .failure(faults.refusal)
    }
  }

  /// Members that are absent are as in `init`; unknown ones are not kept, since each device has settings of its own.
  init(_ json: JSONValue, at path: [UInt8], _ faults: inout Faults) {
    self.init()
    guard faults.isObject(json, at: Array(path.dropLast())) else { return }
    _ = faults.integer(json, Field(path, "v"), 1...1)
    authorization = faults.word(json, Field(path, "authorization"), Authorization.self) ?? authorization
    eachSwitch { name, isOn in isOn = faults.bool(json, Field(path, name)) ?? isOn }
  }

  public var text: [UInt8] {
    var members = [JSONMember("v", JSONValue(1)), JSONMember("authorization", .string(authorization.name))]
    var settings = self
    settings.eachSwitch { name, isOn in members.append(JSONMember(name, .bool(isOn))) }
    return JSONValue.object(members).text
  }

  /// Calls `body` with each setting that is on or off, and its name in JSON. Embedded Swift has no key paths.
  private mutating func eachSwitch(_ body: (StaticString, inout Bool) -> Void) {
    body("alert", &alert)
    body("badge", &badge)
    body("sound", &sound)
    body("vibration", &vibration)
    body("car", &car)
    body("lock_screen", &lockScreen)
    body("list", &list)
    body("previews", &previews)
    body("time_sensitive", &timeSensitive)
    body("critical", &critical)
  }
}
