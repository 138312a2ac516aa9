/// The ways in which a network may cut bytes: whole, in two at every place, and one by one. A parser must give the same
/// result for all of them.
public func everyCut(of bytes: [UInt8]) -> [[[UInt8]]] {
  var cuts: [[[UInt8]]] = [[bytes], bytes.map { [$0] }]
  for place in 1..<max(bytes.count, 1) { cuts.append([Array(bytes[..<place]), Array(bytes[place...])]) }
  return cuts
}
