import AnchorWatch
import Testing
import Wire

@testable import Positions

struct WatchSettingsFormTests {
  private static let whole =
    #"{"anchor":{"lat":54.1,"lon":10.2},"zone":{"shape":"circle","radius_m":40.0},"warning":0.8,"excluded":[],"#
    + #""gap_s":60.0,"lost_s":120.0,"grace_s":30.0,"creep":0.3,"wind_shift_deg":null,"depth_m":null,"beat_s":60.0,"#
    + #""boat":{"length_m":10.0,"beam_m":3.2,"bow_m":4.0},"rode":null,"#
    + #""still_watching":{"every_s":0.0,"spoken":true}}"#

  private func form(_ text: String = whole) throws -> WatchSettingsForm {
    try WatchSettingsForm(try JSON(parsing: text))
  }

  @Test func `the settings that are offered are written and read again`() throws {
    let offered = try form(#"{"anchor":{"lat":54.1,"lon":10.2}}"#)
    #expect(offered.json.text == Self.whole)
    #expect(try form() == offered)
    #expect(offered.settings.bow == 4)
  }

  @Test(arguments: [
    #"{"zone":{"shape":"sector","from_deg":340,"to_deg":20,"inner_m":0,"outer_m":45}}"#,
    #"{"zone":{"shape":"polygon","points":[[54.1,10.2],[54.2,10.2],[54.1,10.3]]}}"#,
    #"{"excluded":[{"from_deg":90,"to_deg":120,"inner_m":10,"outer_m":60}],"wind_shift_deg":40}"#,
    #"{"depth_m":{"min":2.0,"max":null},"gap_s":30,"lost_s":90,"grace_s":10,"creep":0.5,"beat_s":300,"warning":0.7}"#,
    #"{"rode":{"length_m":30,"depth_m":5,"bow_height_m":1.2,"tide_m":0.4,"chain":false},"boat":{"bow_m":6}}"#,
    #"{"still_watching":{"every_s":600},"anchor":{"lat":0,"lon":-180}}"#,
  ])
  func `a change is kept, and the rest stays`(change: String) throws {
    let changed = try form().changed(by: try JSON(parsing: change))
    #expect(changed != (try form()))
    #expect(try WatchSettingsForm(changed.json) == changed)
    #expect(changed.boat.length == 10)
  }

  @Test func `the depth that is not sent stays, and null removes one`() throws {
    let both = try form(#"{"anchor":{"lat":54.1,"lon":10.2},"depth_m":{"min":2.5,"max":8}}"#)
    let deeper = try both.changed(by: ["depth_m": ["min": 3]]).settings
    #expect(deeper.depthMin == 3 && deeper.depthMax == 8)
    #expect(try both.changed(by: ["depth_m": ["min": nil]]).settings.depthMin == nil)
  }

  @Test func `what a later version has kept besides is left out`() throws {
    let later = #"{"anchor":{"lat":54.1,"lon":10.2},"tide":1,"boat":{"bow_m":4,"mast_m":15}}"#
    #expect(try form(later) == form())
  }

  @Test func `a radius is offered beyond the swing: of the rode, or as far as the boat lies, or as it was`() throws {
    let anchor = Position(latitude: 54, longitude: 10)!
    func radius(after before: WatchSettingsForm?, metres: Double?, hdop: Double? = 2) -> Double? {
      let boat = metres.map { anchor.moved(bearing: 90, distance: $0) }
      let form = WatchSettingsForm.offered(at: anchor, after: before, boat: boat, hdop: hdop)
      guard case .circle(let radius) = form.settings.alarm, form.settings.anchor == anchor else { return nil }
      return radius
    }
    #expect(radius(after: nil, metres: nil) == 40 && radius(after: nil, metres: 0) == 40)
    #expect(radius(after: nil, metres: 25) == 50 && radius(after: nil, metres: 25, hdop: nil) == 48)
    var before = try form(#"{"anchor":{"lat":1,"lon":2},"zone":{"shape":"circle","radius_m":60}}"#)
    #expect(radius(after: before, metres: 2) == 60)
    // 30 m of rode in 5 m of water and 1.2 m above: 29.4 m, the bow 4 m, 20 m, and 2.5 for each HDOP.
    before.rode = WatchSettingsForm.Rode(length: 30, depth: 5)
    #expect(radius(after: before, metres: 25) == 58)
    before.settings.alarm = .polygon([anchor, anchor, anchor])
    #expect(radius(after: before, metres: nil) == 58)
    before.settings.alarm = .sector(Sector(from: 0, to: 90, inner: 0, outer: 40))
    #expect(radius(after: before, metres: 25) == 58, "the bearings of a sector were those of the place before")
    before.rode = nil
    #expect(radius(after: before, metres: nil) == 40, "as far as she might lie there")
  }

  @Test(arguments: [
    ("{}", "anchor is missing"), (#"{"anchor":{"lat":0,"lon":0}}"#, "anywhere but exactly 0, 0"),
    (#"{"anchor":{"lat":214.7483647,"lon":1}}"#, "anchor: "),
    (#"{"zone":{"shape":"circle","radius_m":4}}"#, "zone.radius_m: 4; a number of 5 to 5000 is accepted."),
    (#"{"zone":{"shape":"star"}}"#, "\"circle\", \"sector\" or \"polygon\""),
    (#"{"zone":{"shape":"polygon","points":[[1,2],[3,4]]}}"#, "3 to 64 corners"),
    (#"{"zone":{"shape":"sector","from_deg":0,"to_deg":90,"inner_m":50,"outer_m":40}}"#, "below \"outer_m\""),
    (#"{"gap_s":300}"#, "lost_s: 120.0; at least gap_s"), (#"{"gap_s":"60"}"#, "gap_s: \"60\"; a number of"),
    (#"{"depth_m":{"min":5,"max":4}}"#, "a min below max"), (#"{"depth_m":3}"#, "an object is accepted"),
    (#"{"rode":{"length_m":30}}"#, "rode.depth_m: null"), (#"{"still_watching":{"every_s":5}}"#, "0 for none"),
    (#"{"excluded":7}"#, "a list of at most"), ("7", "an object is accepted"),
    (#"{"radius_m":15}"#, "radius_m: unknown; anchor, "), (#"{"depth_m":{"minimum":3}}"#, "depth_m.minimum: unknown"),
    (#"{"excluded":[{"from_deg":0,"to_deg":9,"outer":30}]}"#, "excluded.outer: unknown; from_deg, "),
  ])
  func `a wrong value is told with what is accepted`(change: String, words: String) throws {
    let json = try JSON(parsing: change)
    let fault = #expect(throws: WatchSettingsForm.Fault.self) {
      _ = json == [:] ? try WatchSettingsForm(json) : try form().changed(by: json)
    }
    #expect(fault?.message.contains(words) == true, "\(fault?.message ?? "")")
  }
}
