import Hub
import HubWorld
import Synchronization
import Testing

/// The address by which other devices of the network find the hub.
struct NetworkAddressTests {
  @Test func `it is asked for anew each time, and needs no more of the stack the hundredth time`() async throws {
    let test = try await TestHub()
    #expect(test.hub.networkURL == nil)
    let places = Mutex<[UInt]>([])
    test.hub.findNetworkURL {
      var here: UInt8 = 0
      let place = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
      return places.withLock {
        $0.append(place)
        return "http://192.168.1.\($0.count)"
      }
    }
    for number in 1...100 { #expect(test.hub.networkURL == "http://192.168.1.\(number)") }
    #expect(Set(places.withLock { $0 }).count == 1)
  }
}
