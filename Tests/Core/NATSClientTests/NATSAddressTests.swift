import NATSClient
import Testing

struct NATSAddressTests {
  @Test func `servers are named by their addresses, with a user or a token`() throws {
    let all = try NATSAddress.all(
      in: "nats://hub.example,tls://[2001:db8::1]:4223/,nats://ada:p%40ss:%2C@192.0.2.7:1,tls://s3cret@n_1")
    #expect(all.map(\.host) == ["hub.example", "2001:db8::1", "192.0.2.7", "n_1"])
    #expect(all.map(\.port) == [4222, 4223, 1, 4222])
    #expect(all.map(\.isSecure) == [false, true, false, true])
    #expect(all.map(\.proof) == [.none, .none, .user("ada", password: "p@ss:,"), .token("s3cret")])
    #expect(
      all.map(\.shown) == [
        "nats://hub.example:4222", "tls://[2001:db8::1]:4223", "nats://192.0.2.7:1", "tls://n_1:4222",
      ])
  }

  @Test(arguments: [
    ("", "neither nats:// nor tls://"), ("hub:4222", "neither nats:// nor tls://"),
    ("http://hub", "neither nats:// nor tls://"), ("nats://", "its host"), ("nats://hu b", "its host"),
    ("nats://hub/x", "its host"), ("nats://[1.2.3.4]", "its host"), ("nats://[::1", "its host"),
    ("nats://::1", "its host"), ("nats://hub:0", "its port"), ("nats://hub:65536", "its port"),
    ("nats://hub:", "its port"), ("nats://hub:+1", "its port"), ("nats://[::1]x", "its port"),
    ("nats://@hub", "before the host"), ("nats://:b@hub", "before the host"), ("nats://a:%zz@hub", "before the host"),
    ("nats://hub,", "server 2: it begins"), ("nats://hub,tls://hub:x", "server 2: its port"),
    (Array(repeating: "nats://hub", count: 17).joined(separator: ","), "17 servers"),
  ])
  func `all else is refused with what was seen and what is accepted`(_ text: String, _ words: String) throws {
    let error = try #require(throws: NATSAddressError.self) { try NATSAddress.all(in: text) }
    let seen = text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
    #expect(error.description.contains(words) && error.description.contains("\"\(seen)\""))
    #expect(error.description.contains("nats://HOST:PORT"))
  }

  @Test(arguments: [
    "nats://ada:s3cret@hub:x", "nats://s3cret@hub:x", "nats://ada:s3cret,s3cret@hub", "nats://ada:s3cret@s3cret@hub",
    "nats://ada:s3cret@hub:x,tls://ada:s3cret@hub", "nats://ada:s3cret%@hub", "natz://s3cret@hub",
  ])
  func `no secret stands in an error`(_ text: String) throws {
    let error = try #require(throws: NATSAddressError.self) { try NATSAddress.all(in: text) }
    #expect(!error.description.contains("s3cret") && error.description.contains("@hub"))
  }
}
