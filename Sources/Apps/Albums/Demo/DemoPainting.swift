/// Small painted pictures of a feast at the harbour, for a demonstration: the boats, the lights in the trees, the
/// table, the fire, the house, in summer or in the snow. The same each time; most motifs come at two hours.
struct DemoPainting {
  private typealias Color = DemoCanvas.Color

  private static let motifs = [harbour, table, lights, house, fire, harbour, house, lights, fire]
  private let number: Int
  private let isWarm: Bool
  /// How late it is: 0 in the afternoon, 1 at night.
  private let hour: Float

  /// - Parameter number: of these pictures, from 0, by the hour.
  init(_ number: Int, isWarm: Bool) {
    (self.number, self.isWarm) = (number, isWarm)
    hour = min(1, Float(number) / Float(Self.motifs.count - 1))
  }

  /// The picture as PNG (ISO/IEC 15948).
  func png() -> [UInt8] { Self.motifs[number % Self.motifs.count](self)().png() }

  /// A number from 0 to 1 that looks like chance, the same each time.
  private func chance(_ index: Int) -> Float {
    let mixed = (index &* 7_919 &+ number &* (104_729 &+ index &* 613) &+ index &* index &* 31) % 1_009
    return Float(mixed) / 1_009
  }

  /// A colour between two, by the hour.
  private func by(_ day: Color, _ night: Color) -> Color { day + (night - day) * hour }

  private var sky: DemoCanvas {
    DemoCanvas(from: by(Color(122, 160, 196), Color(14, 20, 44)), to: by(Color(250, 214, 170), Color(70, 60, 96)))
  }

  private func harbour() -> DemoCanvas {
    var canvas = sky
    let (horizon, sun): (Float, Float) = (0.58, 0.35 + 0.7 * hour)
    canvas.glow(sun, horizon - 0.12, 0.45, Color(120, 80, 30))
    canvas.disc(sun, horizon - 0.12, 0.055, Color(255, 240, 200))
    canvas.box(0, horizon, 1.5, 0.42, by(Color(70, 120, 150), Color(24, 34, 66)))
    for wave in 0..<90 {
      let depth = chance(wave)
      let light = by(Color(250, 226, 180), Color(120, 110, 150))
      canvas.box(chance(wave + 200) * 1.5, horizon + 0.02 + depth * 0.38, 0.02 + depth * 0.07, 0.004, light)
    }
    for boat in 0..<4 {
      let (x, size) = (0.1 + 0.36 * Float(boat) + 0.1 * chance(boat + 300), 0.16 + 0.1 * chance(boat + 310))
      let (water, hull) = (horizon + 0.04 + size * 0.3, by(Color(90, 46, 40), Color(26, 20, 30)))
      let (sail, jib) = (by(Color(250, 244, 232), Color(150, 140, 160)), by(Color(222, 104, 84), Color(120, 60, 80)))
      canvas.triangle(x, water - 0.03, size * 0.62, size * 1.7, top: x + size * 0.6, sail)
      canvas.triangle(x + size * 0.66, water - 0.03, size * 0.4, size * 1.2, top: x + size * 0.66, jib)
      canvas.box(x - size * 0.1, water - 0.025, size * 1.3, 0.035, hull)
      canvas.glow(x + size * 0.5, water + 0.05, size, hull * -0.4, high: 0.3)
    }
    return canvas
  }

  private func lights() -> DemoCanvas {
    var canvas = sky
    for fir in 0..<14 {
      let (middle, size) = (Float(fir) * 0.12 - 0.03, 0.3 + 0.35 * chance(fir))
      canvas.triangle(
        middle - size * 0.2, 1, size * 0.4, size, top: middle, by(Color(54, 74, 66), Color(12, 22, 28)))
    }
    let bulbs = [Color(255, 190, 90), Color(255, 120, 90), Color(140, 210, 160), Color(120, 180, 255)]
    for cord in 0..<3 {
      let top = 0.12 + 0.17 * Float(cord)
      for part in 0..<300 {
        let at = Float(part) / 300
        let sag = 4 * at * (1 - at) * (0.14 + 0.06 * chance(cord + 40))
        let (x, y) = (at * 1.5, top + sag + 0.08 * (cord % 2 == 0 ? at : 1 - at))
        canvas.box(x, y, 0.005, 0.004, Color(20, 20, 28))
        guard part % 25 == 12 else { continue }
        let bulb = bulbs[(part / 25 + cord) % bulbs.count]
        canvas.glow(x, y + 0.02, 0.13, bulb * (0.3 + 0.4 * hour))
        canvas.disc(x, y + 0.02, 0.016, bulb * 0.4 + Color(150, 150, 140))
      }
    }
    people(&canvas, ground: 1.0, count: 7, by(Color(40, 44, 58), Color(8, 10, 18)))
    return canvas
  }

  private func table() -> DemoCanvas {
    var canvas = DemoCanvas(from: Color(150, 104, 66), to: Color(120, 78, 48))
    for plank in 0..<9 {
      canvas.box(Float(plank) * 0.18 - 0.04 * chance(plank), 0, 0.006, 1, Color(84, 54, 34))
    }
    let food = [Color(214, 96, 60), Color(236, 190, 80), Color(126, 158, 76), Color(150, 62, 74), Color(236, 214, 176)]
    for plate in 0..<8 {
      let x = 0.2 + 0.37 * Float(plate % 4) + 0.05 * chance(plate)
      let y = 0.25 + 0.5 * Float(plate / 4) + 0.06 * chance(plate + 9)
      canvas.glow(x + 0.02, y + 0.03, 0.2, Color(-70, -60, -50))
      canvas.disc(x, y, 0.135, Color(246, 242, 232))
      canvas.disc(x, y, 0.1, Color(228, 222, 210))
      for bite in 0..<6 {
        let index = plate * 6 + bite
        canvas.disc(
          x + 0.11 * (chance(index + 60) - 0.5), y + 0.11 * (chance(index + 120) - 0.5), 0.02 + 0.022 * chance(index),
          food[(index + number) % food.count])
      }
    }
    for candle in 0..<3 {
      let x = 0.38 + 0.37 * Float(candle)
      canvas.disc(x, 0.5, 0.03, Color(250, 240, 214))
      canvas.disc(x, 0.5, 0.012, Color(255, 250, 230))
      canvas.glow(x, 0.5, 0.4, Color(110, 76, 26))
    }
    return canvas
  }

  private func fire() -> DemoCanvas {
    var canvas = sky
    canvas.box(0, 0.78, 1.5, 0.22, by(Color(92, 84, 76), Color(24, 20, 26)))
    canvas.glow(0.75, 0.8, 0.75, Color(150, 70, 20), high: 0.5)
    people(&canvas, ground: 0.84, count: 6, Color(16, 14, 22))
    for flame in 0..<16 {
      let (aside, size) = ((chance(flame) - 0.5) * 0.3, 0.07 + 0.07 * chance(flame + 30))
      canvas.glow(0.75 + aside, 0.8 - size * 1.1, size, Color(120, 58, 14), high: 2.4 - abs(aside) * 5)
    }
    canvas.glow(0.75, 0.78, 0.12, Color(110, 120, 50), high: 1.2)
    for log in 0..<5 {
      canvas.box(0.6 + 0.05 * Float(log), 0.83 + 0.014 * Float(log % 2), 0.11, 0.022, Color(40, 22, 16))
    }
    for spark in 0..<70 {
      let (up, aside) = (chance(spark + 70), chance(spark) - 0.5)
      let size = 0.003 + 0.003 * chance(spark + 9)
      canvas.disc(0.75 + aside * (0.2 + up * 0.7), 0.72 - up * 0.68, size, Color(255, 190, 90))
    }
    return canvas
  }

  private func house() -> DemoCanvas {
    var canvas = sky
    let (snow, wall) = (by(Color(240, 240, 246), Color(120, 130, 170)), by(Color(168, 70, 56), Color(72, 34, 44)))
    canvas.box(0, 0.8, 1.5, 0.2, isWarm ? by(Color(112, 140, 84), Color(30, 44, 44)) : snow)
    canvas.triangle(0.24, 0.42, 1.02, 0.26, top: 0.75, isWarm ? by(Color(92, 78, 84), Color(34, 30, 46)) : snow)
    canvas.box(0.33, 0.42, 0.84, 0.42, wall)
    for window in 0..<8 {
      let (x, y) = (0.39 + 0.2 * Float(window % 4), 0.47 + 0.19 * Float(window / 4))
      guard window != 5 else {
        canvas.box(x - 0.005, y - 0.01, 0.13, 0.19, Color(50, 30, 30))
        continue
      }
      canvas.glow(x + 0.06, y + 0.05, 0.16, Color(90, 60, 20))
      canvas.box(x, y, 0.12, 0.11, Color(255, 214, 130))
      canvas.box(x + 0.057, y, 0.006, 0.11, wall * 0.6)
      canvas.box(x, y + 0.05, 0.12, 0.006, wall * 0.6)
    }
    canvas.glow(0.75, 0.9, 0.7, Color(60, 40, 10), high: 0.2)
    for flake in 0..<(isWarm ? 0 : 170) {
      canvas.disc(chance(flake) * 1.5, chance(flake + 500), 0.003 + 0.006 * chance(flake + 900), Color(250, 250, 255))
    }
    return canvas
  }

  /// People seen against the light, in thick coats.
  private func people(_ canvas: inout DemoCanvas, ground: Float, count: Int, _ color: Color) {
    for person in 0..<count {
      let x = (Float(person) + 0.5) * 1.5 / Float(count) + 0.08 * (chance(person + 5) - 0.5)
      // In the middle there is what they look at.
      guard abs(x - 0.75) > 0.2 || ground == 1 else { continue }
      let size = 0.26 + 0.1 * chance(person + 15)
      canvas.disc(x, ground - size * 1.03, size * 0.14, color)
      canvas.disc(x, ground - size * 0.7, size * 0.2, color)
      canvas.triangle(x - size * 0.34, ground, size * 0.68, size * 1.15, top: x, color)
    }
  }
}
