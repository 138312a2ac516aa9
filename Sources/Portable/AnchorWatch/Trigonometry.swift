// Sine, cosine and their kin, of our own: those of browsers and of the C library differ in their last bits, and
// Embedded Swift has none. All are as exact as a distance on the earth needs: 13 digits or better.

let halfTurn = 3.141592653589793
let radians = halfTurn / 180

/// The greatest whole number that is not greater. The standard library's needs the C library's.
private func floor(_ value: Double) -> Double {
  guard value.magnitude < 9e15 else { return value }
  let whole = Double(Int64(value))
  return whole > value ? whole - 1 : whole
}

/// The sine of any angle up to some thousand turns, by its series.
func sine(_ angle: Double) -> Double {
  let turn = 2 * halfTurn
  var angle = angle - floor(angle / turn + 0.5) * turn
  if angle > halfTurn / 2 { angle = halfTurn - angle }
  if angle < -halfTurn / 2 { angle = -halfTurn - angle }
  var (term, sum) = (angle, angle)
  let square = angle * angle
  var number = 2.0
  while number < 23 {
    term *= -square / (number * (number + 1))
    sum += term
    number += 2
  }
  return sum
}

func cosine(_ angle: Double) -> Double { sine(halfTurn / 2 - angle.magnitude) }

/// The angle whose tangent is a number, by its series after two halvings of the angle.
private func arctangent(_ tangent: Double) -> Double {
  if tangent.magnitude > 1 { return (tangent > 0 ? halfTurn : -halfTurn) / 2 - arctangent(1 / tangent) }
  var value = tangent
  for _ in 0..<2 { value /= 1 + (1 + value * value).squareRoot() }
  let square = value * value
  var (power, sum, number) = (value, value, 3.0)
  while number < 26 {
    power *= -square
    sum += power / number
    number += 2
  }
  return 4 * sum
}

/// The angle of a point, from −π to π, counted from the first axis towards the second.
func angle(_ second: Double, _ first: Double) -> Double {
  if first == 0 { return second == 0 ? 0 : (second > 0 ? halfTurn : -halfTurn) / 2 }
  let part = arctangent(second / first)
  return first > 0 ? part : second < 0 ? part - halfTurn : part + halfTurn
}

/// The natural logarithm of a positive number, by the series of the area under a hyperbola.
func logarithm(_ value: Double) -> Double {
  let exponent = Double(value.exponent)
  let ratio = (value.significand - 1) / (value.significand + 1)
  var (power, sum, number) = (ratio, ratio, 3.0)
  while number < 37 {
    power *= ratio * ratio
    sum += power / number
    number += 2
  }
  return 2 * sum + exponent * 0.6931471805599453
}

/// A direction in degrees, from 0 to less than 360.
func wholeCircle(_ degrees: Double) -> Double {
  let rest = degrees - floor(degrees / 360) * 360
  return rest >= 360 ? 0 : rest
}
