import AnchorWatch
import Testing

struct ZoneTests {
  private func share(_ shape: Shape, _ distance: Double, _ bearing: Double, excluded: [Sector] = []) -> Double {
    var boat = Boat(shape) { $0.excluded = excluded }
    boat.lie(distance, bearing)
    return boat.watch.share
  }
  private func room(_ shape: Shape, _ distance: Double, _ bearing: Double, excluded: [Sector] = []) -> Double {
    var boat = Boat(shape) { $0.excluded = excluded }
    boat.lie(distance, bearing)
    return boat.watch.room
  }

  @Test func `a circle`() {
    #expect(abs(share(.circle(radius: 50), 25, 123) - 0.5) < 1e-4)
    #expect(abs(room(.circle(radius: 50), 60, 300) + 10) < 1e-2)
  }

  @Test func `a sector has two sides and two arcs`() {
    let sector = Shape.sector(Sector(from: 350, to: 50, inner: 10, outer: 60))
    #expect(abs(room(sector, 55, 20) - 5) < 0.01)
    #expect(abs(room(sector, 12, 20) - 2) < 0.01)
    #expect(abs(room(sector, 8, 20) + 2) < 0.01)
    #expect(abs(room(sector, 65, 20) + 5) < 0.01)
    // Twenty degrees beyond the first side, 40 m out.
    #expect(abs(room(sector, 40, 330) + 13.68) < 0.01)
    #expect(share(sector, 35, 20) < 0.3 && share(sector, 40, 180) > 2)
    let wide = Shape.sector(Sector(from: 90, to: 0, outer: 60))
    #expect(room(wide, 30, 200) > 0 && room(wide, 30, 45) < 0 && room(wide, 30, 359) > 0)
    let ring = Shape.sector(Sector(from: 0, to: 0, inner: 20, outer: 60))
    #expect(abs(room(ring, 40, 200) - 20) < 0.01 && abs(share(ring, 40, 77)) < 0.001)
  }

  @Test func `a polygon stays where it is when the anchor is moved`() {
    let corners = [(0.0, 50.0), (90, 50), (180, 50), (270, 50)].map { Boat.place($1, $0) }
    #expect(abs(room(.polygon(corners), 0.001, 0) - 35.36) < 0.05)
    #expect(abs(share(.polygon(corners), 0.001, 0)) < 0.01)
    #expect(
      room(.polygon(corners), 49, 0) > 0 && room(.polygon(corners), 51, 0) < 0 && room(.polygon(corners), 40, 45) < 0)
    var boat = Boat(.polygon(corners))
    boat.lie(20, 90)
    let before = boat.watch.room
    boat.moveAnchor(to: Boat.place(30, 200))
    #expect(abs(boat.watch.room - before) < 0.01)
  }

  @Test func `what is kept out is outside`() {
    let rocks = Sector(from: 80, to: 100, inner: 20, outer: 100)
    #expect(room(.circle(radius: 50), 30, 90, excluded: [rocks]) < 0)
    #expect(abs(room(.circle(radius: 50), 18, 90, excluded: [rocks]) - 2) < 0.01)
    #expect(abs(room(.circle(radius: 50), 30, 270, excluded: [rocks]) - 20) < 0.01)
  }

  @Test func `it warns equally far from the whole edge, and from what is kept out`() {
    let rocks = Sector(from: 80, to: 100, inner: 20, outer: 100)
    let shapes: [Shape] = [
      .circle(radius: 40), .sector(Sector(from: 30, to: 300, inner: 15, outer: 60)),
      .polygon([0.0, 70, 180, 250].map { Boat.place(50, $0) }),
    ]
    for shape in shapes {
      var boat = Boat(shape) {
        $0.glitchSpeed = .infinity
        $0.excluded = [rocks]
      }
      let warned = boat.watch.settings.warningRoom
      for bearing in stride(from: 3.0, to: 360, by: 15) {
        for distance in stride(from: 2.5, through: 60, by: 3) {
          boat.lie(distance, bearing)
          #expect((boat.watch.share > 0.8) == (boat.watch.room < warned), "\(shape) at \(bearing), \(distance) m")
        }
      }
    }
    #expect(abs(Boat().watch.settings.warningRoom - 8) < 1e-9)
  }

  @Test func `a zone is extended in all its shapes, and no further than a zone may be`() {
    func extended(_ shape: Shape) -> Shape { shape.extended(by: 1.25, around: Boat.anchor) }
    #expect(extended(.circle(radius: 40)) == .circle(radius: 50))
    #expect(extended(.circle(radius: 4_500)) == .circle(radius: 5_000))
    #expect(
      extended(.sector(Sector(from: 0, to: 80, inner: 10, outer: 40)))
        == .sector(Sector(from: 350, to: 90, inner: 8, outer: 50)))
    #expect(
      extended(.sector(Sector(from: 200, to: 150, outer: 40))) == .sector(Sector(from: 200, to: 200, outer: 50)))
    let corners = [0.0, 120, 240].map { Boat.place(40, $0) }
    guard case .polygon(let larger) = extended(.polygon(corners)) else {
      Issue.record("a polygon stays one")
      return
    }
    #expect(larger.allSatisfy { abs(Boat.anchor.distance(to: $0) - 50) < 0.1 } && larger.count == 3)
  }

  @Test func `whoever lies within an extended zone still does, and an edge that she has crossed moves outward`() {
    let beside = Shape.polygon([(20.0, -18.0), (20, -60), (-20, -60), (-20, -18)].map { Self.place($0, $1) })
    let around = Shape.polygon([(60.0, 8.0), (60, -30), (-30, -30), (-30, 8)].map { Self.place($0, $1) })
    let shapes: [Shape] = [
      .circle(radius: 40), .sector(Sector(from: 150, to: 210, outer: 60)),
      .sector(Sector(from: 200, to: 20, inner: 15, outer: 50)), beside, around,
    ]
    for shape in shapes {
      let larger = shape.extended(by: 1.25, around: Boat.anchor)
      // She is put from place to place.
      var boats = [shape, larger].map { Boat($0) { $0.glitchSpeed = .infinity } }
      for bearing in stride(from: 3.0, to: 360, by: 15) {
        for distance in stride(from: 2.0, through: 80, by: 3) {
          for index in boats.indices { boats[index].lie(distance, bearing) }
          let gained = boats[1].watch.room - boats[0].watch.room
          #expect(gained > -0.01, "\(shape) at \(bearing), \(distance) m: \(gained) m")
        }
      }
    }
  }

  /// Metres east and north of the anchor.
  private static func place(_ east: Double, _ north: Double) -> Position {
    Boat.anchor.moved(bearing: 90, distance: east).moved(bearing: 0, distance: north)
  }
}
