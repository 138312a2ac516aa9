/// The ways a network may cut the same bytes: whole, in two at every place, and one by one. A machine that is fed
/// bytes must say the same of all of them.
public func everyCut(of bytes: [UInt8]) -> [[[UInt8]]] {
  var cuts: [[[UInt8]]] = [[bytes], bytes.map { [$0] }]
  for place in 1..<max(bytes.count, 1) { cuts.append([Array(bytes[..<place]), Array(bytes[place...])]) }
  return cuts
}
