import Hub
import Server
import Testing
import World

struct AttemptsTests {
  let time = VirtualTime()

  func attempts(perAddress: Double = 2, overAll: Double = 5) -> Attempts {
    let limit = Attempts.Limit(
      perAddress: Rate(burst: perAddress, perSecond: perAddress / 600),
      overAll: Rate(burst: overAll, perSecond: overAll / 600))
    return Attempts(limit, time: time)
  }

  @Test func `an address has so many attempts, and then waits for each further one`() {
    let attempts = attempts()
    #expect(attempts.begin("192.0.2.1") == nil)
    time.advance(by: 100)
    #expect(attempts.begin("192.0.2.1") == nil)
    #expect(attempts.begin("192.0.2.1") == 200)
    #expect(attempts.begin("192.0.2.2") == nil, "others may")
    time.advance(by: 199.5)
    #expect(attempts.begin("192.0.2.1") == 1)
    time.advance(by: 0.6)
    #expect(attempts.begin("192.0.2.1") == nil)
    #expect(attempts.begin("192.0.2.1") == 300)
  }

  @Test func `what succeeded does not count`() {
    let attempts = attempts()
    for _ in 0..<20 {
      #expect(attempts.begin("192.0.2.1") == nil)
      attempts.succeeded("192.0.2.1")
    }
    attempts.succeeded("192.0.2.9")
    #expect(attempts.begin("192.0.2.1") == nil)
    #expect(attempts.begin("192.0.2.1") == nil)
    #expect(attempts.begin("192.0.2.1") != nil)
  }

  @Test func `all addresses together have an end, and whoever is refused for it has lost nothing`() {
    let attempts = attempts()
    for number in 1...5 { #expect(attempts.begin("192.0.2.\(number)") == nil) }
    for _ in 0..<9 { #expect(attempts.begin("192.0.2.6") == 120) }
    time.advance(by: 121)
    #expect(attempts.begin("192.0.2.6") == nil)
  }

  @Test func `a network of IPv6 counts as one address, an address of IPv4 in its spelling too`() {
    let attempts = attempts(overAll: 100)
    #expect(attempts.begin("2001:db8::1") == nil)
    #expect(attempts.begin("2001:db8::ffff:2") == nil)
    #expect(attempts.begin("2001:db8:0:0:9::3") != nil)
    #expect(attempts.begin("2001:db8:0:1::1") == nil)
    for host in 1...2 { #expect(attempts.begin("fe80::\(host)%eth0") == nil) }
    #expect(attempts.begin("fe80::3%eth0") != nil, "a neighbour gives itself as many as they like")
    #expect(attempts.begin("no address") == nil)
  }
}
