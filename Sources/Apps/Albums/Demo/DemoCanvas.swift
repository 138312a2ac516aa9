import Wire

/// A small canvas of red, green and blue from 0 to 255, on which shapes are drawn one over the other. Places and sizes
/// are in parts of its height: it is 1.5 wide and 1 high, with 0, 0 at the top left.
struct DemoCanvas {
  typealias Color = SIMD3<Float>

  static let (width, height) = (480, 320)
  private var pixels: [Color]

  /// From the colour at the top to the one at the bottom.
  init(from top: Color, to bottom: Color) {
    pixels = []
    pixels.reserveCapacity(Self.width * Self.height)
    for y in 0..<Self.height {
      let share = Float(y) / Float(Self.height)
      pixels += repeatElement(top + (bottom - top) * share, count: Self.width)
    }
  }

  /// The picture as PNG (ISO/IEC 15948).
  func png() -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(Self.height * (1 + 3 * Self.width))
    for y in 0..<Self.height {
      // Each row begins with the byte for no filter.
      rows.append(0)
      for color in pixels[y * Self.width..<(y + 1) * Self.width] {
        let color = color.clamped(lowerBound: .zero, upperBound: Color(repeating: 255))
        rows.append(UInt8(color.x))
        rows.append(UInt8(color.y))
        rows.append(UInt8(color.z))
      }
    }
    return PNG.file(width: Self.width, height: Self.height, rows: rows)
  }

  mutating func box(_ x: Float, _ y: Float, _ width: Float, _ height: Float, _ color: Color) {
    each(x, y, x + width, y + height) { _, _, _ in color }
  }

  mutating func disc(_ x: Float, _ y: Float, _ radius: Float, _ color: Color) {
    // The edge is drawn over a pixel and a half, so that it has no steps.
    let soft = 1.5 / Float(Self.height)
    each(x - radius, y - radius, x + radius, y + radius) { px, py, under in
      let away = ((px - x) * (px - x) + (py - y) * (py - y)).squareRoot()
      return under + (color - under) * max(0, min(1, (radius - away) / soft))
    }
  }

  /// A triangle that stands on its base and is bent to one side: a sail or a roof.
  mutating func triangle(_ x: Float, _ y: Float, _ width: Float, _ height: Float, top: Float, _ color: Color) {
    each(x, y - height, x + width, y) { px, py, under in
      let up = (y - py) / height
      let (left, right) = (x + (top - x) * up, x + width + (top - x - width) * up)
      return px >= left && px <= right ? color : under
    }
  }

  /// Light that is added to what is there, and fades with the distance.
  /// - Parameter high: how high it is for its width: more than 1 for a flame, less for what shines on the ground.
  mutating func glow(_ x: Float, _ y: Float, _ radius: Float, _ color: Color, high: Float = 1) {
    each(x - radius, y - radius * high, x + radius, y + radius * high) { px, py, under in
      let (dx, dy) = ((px - x) / radius, (py - y) / (radius * high))
      let near = max(0, 1 - (dx * dx + dy * dy).squareRoot())
      return under + color * (near * near)
    }
  }

  /// Every pixel of a rectangle, by where it is and what is there.
  private mutating func each(
    _ left: Float, _ top: Float, _ right: Float, _ bottom: Float, _ draw: (Float, Float, Color) -> Color
  ) {
    let scale = Float(Self.height)
    func inside(_ pixel: Int, _ end: Int) -> Int { max(0, min(end, pixel)) }
    let columns = inside(Int(left * scale), Self.width)..<inside(Int(right * scale) + 1, Self.width)
    for y in inside(Int(top * scale), Self.height)..<inside(Int(bottom * scale) + 1, Self.height) {
      for x in columns {
        let at = y * Self.width + x
        pixels[at] = draw(Float(x) / scale, Float(y) / scale, pixels[at])
      }
    }
  }
}
