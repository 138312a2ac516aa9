import Hub
import Testing
import World

struct AttemptsTests {
  let time = VirtualTime()

  func attempts(perAddress: Int = 2, overAll: Int = 5) -> Attempts {
    Attempts(Attempts.Limit(perAddress: perAddress, overAll: overAll, seconds: 600), time: time)
  }

  @Test func `an address has so many attempts, and then waits until the time is over`() {
    let attempts = attempts()
    #expect(attempts.begin("192.0.2.1") == nil)
    time.advance(by: 100)
    #expect(attempts.begin("192.0.2.1") == nil)
    #expect(attempts.begin("192.0.2.1") == 500)
    #expect(attempts.begin("192.0.2.2") == nil, "others may")
    time.advance(by: 499.5)
    #expect(attempts.begin("192.0.2.1") == 1)
    time.advance(by: 0.5)
    #expect(attempts.begin("192.0.2.1") == nil)
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

  @Test func `all addresses together have an end`() {
    let attempts = attempts()
    for number in 1...5 { #expect(attempts.begin("192.0.2.\(number)") == nil) }
    #expect(attempts.begin("192.0.2.6") == 600)
  }

  @Test func `a network of IPv6 counts as one address, an address of IPv4 in its spelling too`() {
    let attempts = attempts(overAll: 100)
    #expect(attempts.begin("2001:db8::1") == nil)
    #expect(attempts.begin("2001:db8::ffff:2") == nil)
    #expect(attempts.begin("2001:db8:0:0:9::3") != nil)
    #expect(attempts.begin("2001:db8:0:1::1") == nil)
    #expect(attempts.begin("no address") == nil)
  }
}
