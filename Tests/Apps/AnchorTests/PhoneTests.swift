import AnchorWatch
import Hub
import MQTTClient
import Testing
import Wire

@testable import Anchor

struct PhoneTests {
  @Test func `with a charger a phone reports all the time, on its battery seldom, and near the edge always`() {
    var situation = PhoneMode.Situation(isArmed: true, share: 0.3)
    #expect(PhoneMode.wanted(in: situation, isCharging: true) == .move)
    #expect(PhoneMode.wanted(in: situation, isCharging: false) == .significant)
    #expect(PhoneMode.wanted(in: situation, isCharging: nil) == nil)
    situation.share = PhoneLimits.nearEdge
    #expect(PhoneMode.wanted(in: situation, isCharging: false) == .move)
    situation = PhoneMode.Situation(isArmed: true, isAlarmed: true)
    #expect(PhoneMode.wanted(in: situation, isCharging: nil) == .move)
    #expect(PhoneMode.wanted(in: PhoneMode.Situation(), isCharging: true) == .significant)
  }

  @Test func `a phone that does not obey is asked three times, then once an hour`() {
    var asked = PhoneMode.Asked()
    var times: [Double] = []
    for time in stride(from: 0.0, through: 8_000, by: 10) where asked.ask(for: .move, now: .significant, at: time) {
      times.append(time)
    }
    #expect(times == [0, 60, 120, 3_720, 7_320])
    let again = asked.ask(for: .move, now: .move, at: 9_000)
    #expect(!again && asked.times == 0)
    // Another mode is asked for at once.
    let isOther = asked.ask(for: .significant, now: .move, at: 9_001)
    #expect(isOther)
    // One that tells no mode is asked once.
    var silent = PhoneMode.Asked()
    let first = silent.ask(for: .move, now: nil, at: 0)
    let second = silent.ask(for: .move, now: nil, at: 9_000)
    #expect(first && !second)
  }

  @Test func `each app gets a link that it understands, and a code that fits`() {
    for app in Phone.App.allCases {
      let phone = Phone(id: 7, name: "Ada's phone, ä & ö?", app: app, person: 1, createdAt: 0)
      let setup = PhoneSetup(
        phone: phone, secret: "ebd_" + String(repeating: "x", count: 32), hub: "https://hub.example")
      #expect(setup.code != nil)
      #expect(!setup.link.contains(" ") && !setup.link.contains("'"), "\(setup.link)")
      switch app {
      case .owntracks: #expect(setup.link.hasPrefix("owntracks:///config?inline="))
      case .overland:
        #expect(
          setup.link.hasPrefix("overland://setup?url=https%3A%2F%2Fhub.example%2Fapi%2Fv1%2Fanchor%2Foverland&token="))
      case .traccar: #expect(setup.link.hasPrefix("https://hub.example/api/v1/anchor/traccar?id=ebd_"))
      }
    }
  }

  @Test func `what is told to a broker says the state, and nothing of an anchor that is not down`() throws {
    let messages = WatchTold().messages(now: 1_795_200_000)
    #expect(messages.allSatisfy { $0.isRetained })
    let state = try JSON(parsing: messages[0].payload)
    #expect(state["state"]?.string == "idle" && state["alarm"]?.bool == false && state["distance_m"]?.number == nil)
    var told = WatchTold()
    told.state = "alarm"
    (told.anchor, told.radius, told.distance) = (Position(latitude: 0, longitude: 10.2), 40, 51)
    let all = told.messages(now: 1_795_200_000)
    let position = try #require(all.first { $0.topic == "vessels/self/navigation/anchor/position" })
    #expect(try JSON(parsing: position.payload)["longitude"]?.number == 10.2)
    let notification = try #require(all.first { $0.topic == "vessels/self/notifications/navigation/anchor" })
    #expect(try JSON(parsing: notification.payload)["state"]?.string == "emergency")
  }
}
