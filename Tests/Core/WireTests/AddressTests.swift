import Testing
import Wire

struct AddressTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
    ("2001:DB8:0:0::1", "2001:db8::1"), ("::", "::"), ("::ffff:192.0.2.1", "192.0.2.1"),
    ("::ffff:c000:201", "192.0.2.1"),
    ("::fffe:192.0.2.1", "::fffe:c000:201"), ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"),
  ])
  func `an address is read and written`(text: String, written: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == written)
    #expect(IPAddress(bytes: address.bytes) == address)
    #expect(address.family == (written.contains(":") ? .v6 : .v4))
    #expect(address.bytes.count == (written.contains(":") ? 16 : 4))
  }

  @Test(arguments: [
    "", " 192.0.2.1", "192.0.2.1 ", "192.0.2", "127.1", "0x7f.0.0.1", "0177.0.0.1", "192.0.2.256", "192.0.2.1:80",
    "[::1]", "fe80::1%eth0", "1::2::3", "::1/128",
    String(repeating: "0", count: 60), "²::1", "localhost",
  ])
  func `what is no address is refused`(text: String) { #expect(IPAddress(text) == nil) }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("fe80::1", "fe80::"), ("::1", "::"),
  ])
  func `a subscriber has one address of IPv4, and a whole 64 of IPv6`(text: String, subscriber: String) throws {
    #expect(try #require(IPAddress(text)).subscriber.description == subscriber)
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
    ("2001:db8:0:ffff::1", "2001:db8::"), ("::1", "::"),
  ])
  func `a network is one address of IPv4, and a whole 48 of IPv6`(text: String, network: String) throws {
    #expect(try #require(IPAddress(text)).network.description == network)
  }

  @Test func `a zero byte does not end an address`() {
    #expect(IPAddress("192.0.2.1\0") == nil)
    #expect(IPAddress("::1\0.example") == nil)
  }

  @Test func `an address has 4 or 16 bytes`() {
    for count in [0, 1, 3, 5, 15, 17, 32] { #expect(IPAddress(bytes: [UInt8](repeating: 0, count: count)) == nil) }
    #expect(IPAddress(bytes: [127, 0, 0, 1])?.description == "127.0.0.1")
    #expect(IPAddress(bytes: [UInt8](repeating: 0, count: 15) + [1])?.description == "::1")
  }

  /// Of each range its first and last address, and the adjacent ones outside of it.
  static let special: [(first: String, last: String, before: String?, after: String?)] = [
    ("0.0.0.0", "0.255.255.255", nil, "1.0.0.0"),
    ("10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
    ("100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
    ("127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
    ("169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"),
    ("172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
    ("192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"),
    ("192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"),
    ("192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"),
    ("192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"),
    ("198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"),
    ("198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"),
    ("203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"),
    ("224.0.0.0", "255.255.255.255", "223.255.255.255", nil),
    ("::", "1fff:ffff::", nil, "2000::"),
    ("::1", "::ffff:ffff", nil, nil),
    ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", nil, nil),
    ("100::", "100::ffff:ffff:ffff:ffff", nil, nil),
    ("2001::", "2001:1ff:ffff::", "2000:ffff::", "2001:200::"),
    ("2001:db8::", "2001:db8:ffff::", "2001:db7:ffff::", "2001:db9::"),
    ("3fff::", "3fff:fff:ffff::", "3ffe:ffff::", "3fff:1000::"),
    ("5f00::", "5f00:ffff::", nil, nil),
    ("fc00::", "fdff:ffff::", nil, nil),
    ("fe80::", "febf:ffff::", nil, nil),
    ("fec0::", "feff:ffff::", nil, nil),
    ("ff00::", "ffff:ffff::", nil, nil),
  ]

  @Test(arguments: special)
  func `special addresses are not public, their neighbours are`(
    first: String, last: String, before: String?, after: String?
  ) throws {
    for text in [first, last] { #expect(try !#require(IPAddress(text)).isPublic, "\(text)") }
    for text in [before, after].compactMap(\.self) { #expect(try #require(IPAddress(text)).isPublic, "\(text)") }
  }

  @Test func `a wrapped IPv4 address is as public as itself`() throws {
    for (v4, isPublic) in [("8.8.8.8", true), ("127.0.0.1", false), ("10.0.0.1", false), ("169.254.169.254", false)] {
      let hex = try #require(IPAddress(v4)).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      let pair = "\(hex[0])\(hex[1]):\(hex[2])\(hex[3])"
      for text in [v4, "::ffff:\(v4)", "64:ff9b::\(v4)", "2002:\(pair)::1"] {
        #expect(try #require(IPAddress(text)).isPublic == isPublic, "\(text)")
      }
      // Deprecated forms are never public.
      for text in ["::\(v4)", "::ffff:0:\(v4)"] { #expect(try !#require(IPAddress(text)).isPublic, "\(text)") }
    }
  }

  @Test(arguments: [
    ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"], ["9.255.255.255", "11.0.0.0", "::a00:1"]),
    ("192.0.2.7", ["192.0.2.7"], ["192.0.2.6", "192.0.2.8"]),
    ("192.0.2.6/31", ["192.0.2.6", "192.0.2.7"], ["192.0.2.5", "192.0.2.8"]),
    ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "::1", "2001:db8::1"]),
    ("::/0", ["::", "::1", "ffff::"], ["0.0.0.0", "127.0.0.1", "::ffff:1.2.3.4"]),
    ("fd00::/8", ["fd00::", "fdff:ffff::1"], ["fc00::", "fe00::"]),
    ("2001:db8::/64", ["2001:db8::", "2001:db8::ffff:ffff:ffff:ffff"], ["2001:db8:0:1::"]),
    ("2001:db8::8000:0:0:0/65", ["2001:db8::8000:0:0:0"], ["2001:db8::7fff:0:0:0"]),
    ("::1/128", ["::1"], ["::", "::2"]),
    ("::ffff:10.0.0.0/104", ["10.9.8.7"], ["11.0.0.0"]),
  ])
  func `a range holds its addresses and no others`(text: String, inside: [String], outside: [String]) throws {
    let range = try AddressRange(text)
    for address in inside { #expect(try range.contains(#require(IPAddress(address))), "\(address)") }
    for address in outside { #expect(try !range.contains(#require(IPAddress(address))), "\(address)") }
  }

  @Test(arguments: [
    ("", "such as"), ("10.0.0.0/", "0 to 32"), ("10.0.0.0/33", "0 to 32"), ("::/129", "0 to 128"),
    ("10.0.0.0/+8", "0 to 32"), ("10.0.0.0/8/8", "0 to 32"), ("10.0.0.0/ 8", "0 to 32"), ("10.0.0/8", "such as"),
    ("10.1.2.3/8", "10.0.0.0/8 is accepted"), ("fd00::1/8", "fd00::/8 is accepted"), ("home/8", "such as"),
    ("::ffff:10.1.2.3/104", "::ffff:10.0.0.0/104 is accepted"),
    ("10.0.0.0/0000008", "0 to 32"),
  ])
  func `what is no range is refused with what is accepted`(text: String, says: String) {
    let error = #expect(throws: AddressRangeError.self) { try AddressRange(text) }
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }
}
