import AnchorWatch
import Foundation
import Testing
import Wire

/// The vectors of Tests/Fixtures/anchor, which the page's WebAssembly answers too (Tests/Web/anchor-rules.test.mjs).
/// Their places are by the great circle, their events were found by hand.
struct VectorTests {
  private func vectors(_ file: String) throws -> [JSON] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try Data(contentsOf: folder.appending(path: "Fixtures/anchor/\(file)"))
    let json = try JSON(parsing: Array(text))
    return try #require(json.array)
  }

  private func number(_ json: JSON?) -> Double? { json?.number }

  private func sector(_ json: JSON) -> Sector {
    Sector(
      from: number(json["from_deg"])!, to: number(json["to_deg"])!, inner: number(json["inner_m"])!,
      outer: number(json["outer_m"])!)
  }

  private func settings(_ json: JSON) -> WatchSettings {
    let zone = json["zone"]!
    let shape: Shape =
      zone["shape"]?.string == "sector" ? .sector(sector(zone)) : .circle(radius: number(zone["radius_m"])!)
    var settings = WatchSettings(anchor: Boat.anchor, alarm: shape)
    settings.warning = number(json["warning"]) ?? 0.8
    settings.excluded = (json["excluded"]?.array ?? []).map { sector($0) }
    settings.windShift = number(json["wind_shift_deg"])
    settings.depthMin = number(json["depth_m"]?["min"])
    settings.bow = number(json["boat"]?["bow_m"]) ?? 0
    return settings
  }

  @Test func `nights are judged as the vectors say`() throws {
    let nights = try vectors("nights.json")
    #expect(nights.count > 10)
    for night in nights {
      var boat = Boat()
      boat.watch = AnchorWatch(settings(night["settings"]!), since: Boat.start)
      for step in night["steps"]!.array! {
        if let wait = number(step["wait"]) {
          boat.wait(wait)
          continue
        }
        let (values, told) = (step.array!, step.array![3])
        boat.lie(number(values[0])!, number(values[1])!, seconds: Int(number(values[2])!)) { fix in
          (fix.hdop, fix.depth) = (number(told["hdop"]), number(told["depth"]))
          (fix.windDirection, fix.heading) = (number(told["wind"]), number(told["heading"]))
        }
      }
      let found = zip(boat.times, boat.kinds).map { "\(Int($0)) \($1.name)" }
      let expected = night["events"]!.array!.map { "\(Int(number($0.array![0])!)) \($0.array![1].string!)" }
      #expect(found == expected, "\(night["name"]!.string!)")
    }
  }

  @Test func `distances and bearings are as the vectors say`() throws {
    let places = try vectors("places.json")
    #expect(places.count > 100)
    for vector in places {
      let (from, to) = (vector["from"]!.array!.map { number($0)! }, vector["to"]!.array!.map { number($0)! })
      let start = try #require(Position(latitude: from[0], longitude: from[1]))
      let end = try #require(Position(latitude: to[0], longitude: to[1]))
      let distance = try #require(number(vector["distance_m"]))
      #expect(abs(start.distance(to: end) - distance) < max(distance * 2e-4, 0.01), "\(vector.text)")
      let turned = abs(start.bearing(to: end) - number(vector["bearing_deg"])!)
      #expect(min(turned, 360 - turned) < 0.2, "\(vector.text)")
    }
  }
}
