import Testing

@testable import TCPClient

struct AddressOrderTests {
  @Test func `where IPv6 leads nowhere, IPv4 is the second try, however many addresses there are`() {
    let found = (UInt8(0)..<20).map { SocketAddress(family: $0 < 10 ? 10 : 2, bytes: [$0]) }
    #expect(NameLookup.byTurns(found).map(\.bytes) == [0, 10, 1, 11, 2, 12, 3, 13].map { [$0] })
    #expect(NameLookup.byTurns(Array(found.suffix(3))).map(\.bytes) == [[17], [18], [19]])
  }
}
