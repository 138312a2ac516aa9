import MQTTClient
import Testing

struct BrokerAddressTests {
  @Test(arguments: [
    ("mqtt://broker", "broker", UInt16(1_883), nil), ("mqtts://boat.example/", "boat.example", 8_883, nil),
    ("mqtt://ada@192.0.2.7:1884", "192.0.2.7", 1_884, "ada"), ("mqtt://[2001:db8::1]:1883", "2001:db8::1", 1_883, nil),
  ])
  func `a broker is named by its address`(_ text: String, _ host: String, _ port: UInt16, _ user: String?) {
    let address = BrokerAddress(text)
    #expect(address?.host == host && address?.port == port && address?.user == user)
    #expect(address?.isSecure == text.hasPrefix("mqtts"))
  }

  @Test(arguments: [
    "", "broker", "http://broker", "mqtt://", "mqtt://ada:secret@broker", "mqtt://broker:0", "mqtt://broker:99999",
    "mqtt://bro ker", "mqtt://broker/topic", "mqtt://@broker",
  ])
  func `other addresses, and passwords in them, are refused`(_ text: String) { #expect(BrokerAddress(text) == nil) }
}
