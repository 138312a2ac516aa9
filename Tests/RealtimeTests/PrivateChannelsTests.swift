import Realtime
import Testing

struct PrivateChannelsTests {
  private static func channels() -> Channels {
    let channels = Channels(loops: [])
    channels.open(
      ChannelGate(secret: Array("7ad3773142a6692b25b8".utf8), start: { _ in }) { _, holders in Set(holders) })
    return channels
  }

  /// The example of Pusher's "Authorizing users" reference.
  @Test func `a signature is the one that Pusher defines`() {
    let signature = Self.channels().grant("device:1", socketID: "1234.1234", channel: "private-foobar")
    #expect(signature == "eightbells:58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4")
  }

  @Test(arguments: [
    ("1.2", "space"), ("1.2", "presence-a"), ("1.2", "private-a b"), ("", "private-a"), ("1", "private-a"),
    ("1.2:private-b", "private-a"), ("a.b", "private-a"), ("1.2.3", "private-a"),
  ])
  func `only sockets and private channels are signed`(socket: String, channel: String) {
    #expect(Self.channels().grant("device:1", socketID: socket, channel: channel) == nil)
  }

  @Test func `nothing is signed before there is a key`() {
    #expect(Channels(loops: []).grant("device:1", socketID: "1.2", channel: "private-a") == nil)
  }
}
