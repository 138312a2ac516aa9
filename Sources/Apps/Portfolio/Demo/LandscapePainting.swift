import Wire

/// A painted landscape for a demonstration, the same each time: a sky, a sun or moon, and ranges of hills, dunes or
/// waves that fade with their distance.
struct LandscapePainting {
  enum Scene: String {
    case coast, dunes, mountains
  }
  private typealias Color = (red: Double, green: Double, blue: Double)

  private let scene: Scene
  private let number: Int
  private let width: Int
  private let height: Int

  /// - Parameter number: each another hour, and some of them upright.
  init(_ scene: Scene, _ number: Int) {
    (self.scene, self.number) = (scene, number)
    (width, height) = number % 4 == 2 ? (800, 1_200) : number % 5 == 4 ? (1_440, 810) : (1_200, 800)
  }

  /// The picture as PNG (ISO/IEC 15948).
  func png() -> [UInt8] {
    // Only the sizes made of it are kept: to compress it would take longer than to paint it.
    PNG.file(width: width, height: height, rows: rows(), level: 0)
  }

  /// Above, at the horizon, and the nearest ground, for each hour.
  private var palette: (sky: Color, glow: Color, ground: Color) {
    let palettes: [(Color, Color, Color)] =
      switch scene {
      case .coast:
        [
          ((28, 46, 92), (255, 150, 96), (10, 22, 44)), ((70, 120, 170), (250, 214, 170), (22, 58, 78)),
          ((44, 32, 84), (236, 110, 110), (14, 14, 40)), ((18, 28, 58), (255, 120, 60), (6, 12, 26)),
        ]
      case .dunes:
        [
          ((120, 170, 214), (255, 226, 178), (150, 74, 36)), ((60, 52, 110), (255, 160, 110), (96, 40, 38)),
          ((200, 150, 120), (255, 214, 150), (170, 92, 40)),
        ]
      case .mountains:
        [
          ((150, 178, 204), (246, 232, 220), (24, 44, 52)), ((96, 110, 156), (250, 192, 178), (24, 26, 48)),
          ((52, 84, 120), (214, 226, 224), (12, 32, 40)),
        ]
      }
    let (sky, glow, ground) = palettes[number % palettes.count]
    return (sky, glow, ground)
  }

  private func rows() -> [UInt8] {
    let (sky, glow, ground) = palette
    let horizon = Double(height) * (0.52 + 0.05 * Double(number % 3))
    let (sunX, sunY) = (Double(width) * (0.22 + 0.11 * Double(number * 3 % 6)), horizon - Double(height) * 0.1)
    let layers = scene == .coast ? 3 : 6
    let ridges = (0..<layers).map { ridge($0, of: layers, horizon) }
    let distant = mix(glow, sky, 0.45)
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (1 + 3 * width))
    for y in 0..<height {
      // Each row begins with the byte for no filter.
      rows.append(0)
      let above = max(0, min(1, Double(y) / horizon))
      let air = mix(sky, glow, above * above)
      for x in 0..<width {
        var color = air
        // The nearest range hides all behind it.
        if let layer = ridges.lastIndex(where: { Double(y) > $0[x] }) {
          let near = Double(layer + 1) / Double(layers)
          let depth = min(1, (Double(y) - ridges[layer][x]) / (Double(height) * 0.3))
          color = mix(distant, ground, min(1, near * 0.9 + depth * 0.12 * (scene == .dunes ? -1 : 1)))
        } else if scene == .coast, Double(y) > horizon {
          color = water(x, y, horizon, sunX, sky, glow)
        } else {
          color = lit(air, Double(x) - sunX, Double(y) - sunY)
        }
        let grain = Double((x &* 7_919 &+ y &* 104_729 &+ (x &* y) % 613) % 17) - 8
        rows.append(UInt8(max(0, min(255, color.red + grain * 0.35))))
        rows.append(UInt8(max(0, min(255, color.green + grain * 0.35))))
        rows.append(UInt8(max(0, min(255, color.blue + grain * 0.35))))
      }
    }
    return rows
  }

  /// The sky at a distance from the sun, in pixels.
  private func lit(_ air: Color, _ dx: Double, _ dy: Double) -> Color {
    let reach = Double(width) * 0.25
    guard abs(dx) < reach, abs(dy) < reach else { return air }
    let far = (dx * dx + dy * dy).squareRoot() / Double(width)
    let color = mix(air, (255, 244, 220), 0.55 - far * 2.2)
    return far < 0.032 ? mix(color, (255, 250, 236), (0.032 - far) * 160) : color
  }

  /// The sky again, darker, with the sun's path on the waves.
  private func water(_ x: Int, _ y: Int, _ horizon: Double, _ sunX: Double, _ sky: Color, _ glow: Color) -> Color {
    let depth = (Double(y) - horizon) / (Double(height) - horizon)
    let wave = triangle(Double(x) * 0.011 / (0.15 + depth) + Double(y) * 0.37) * 0.5 + triangle(Double(y) * 0.21) * 0.5
    let path = max(0, 1 - abs(Double(x) - sunX) / (Double(width) * (0.03 + 0.16 * depth)))
    return mix(mix(glow, sky, 0.35 + depth * 0.75), (255, 236, 200), path * (0.25 + 0.55 * wave) * (1 - depth * 0.5))
  }

  /// The height of a range of hills at each column: waves of falling length, bent into crests.
  private func ridge(_ layer: Int, of layers: Int, _ horizon: Double) -> [Double] {
    let near = Double(layer) / Double(layers)
    let seed = Double(number * 31 + layer * 17 + (scene == .dunes ? 5 : 0))
    let base =
      scene == .coast
      ? Double(height) * (1.02 - 0.1 * Double(layer)) : horizon + (Double(height) * 0.92 - horizon) * near
    let swing = Double(height) * (scene == .dunes ? 0.07 : scene == .coast ? 0.16 : 0.13) * (1.15 - near * 0.4)
    return (0..<width).map { x in
      let at = Double(x) / 1_200
      var sum = 0.0
      var (length, size) = (scene == .mountains ? 2.3 : 1.1, 1.0)
      for step in 0..<(scene == .dunes ? 3 : 7) {
        sum += (smooth(at * length + seed * 0.37 + Double(step) * 1.7) - 0.5) * size
        length *= 2.1
        size *= scene == .dunes ? 0.3 : 0.48
      }
      // The coast's rocks stand at one side.
      let side = scene == .coast ? max(0, (number % 2 == 0 ? at : 1 - at) - 0.25 * Double(layer)) * 1.4 : 1
      return base - swing * sum * 1.5 - (scene == .coast ? side * Double(height) * 0.22 : 0)
    }
  }

  private func smooth(_ value: Double) -> Double {
    let wave = triangle(value)
    return wave * wave * (3 - 2 * wave)
  }

  /// A wave from 0 to 1 and back.
  private func triangle(_ value: Double) -> Double {
    let part = value - value.rounded(.down)
    return part < 0.5 ? part * 2 : 2 - part * 2
  }

  private func mix(_ one: Color, _ other: Color, _ share: Double) -> Color {
    let share = max(0, min(1, share))
    return (
      one.red + (other.red - one.red) * share, one.green + (other.green - one.green) * share,
      one.blue + (other.blue - one.blue) * share
    )
  }
}
