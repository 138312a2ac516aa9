import Testing

@testable import Portfolio

struct WebDAVPathTests {
  @Test(arguments: [
    ("/Set/ä.jpg", "/Set/%C3%A4.jpg"), ("https://dav.example/Set/", "/Set/"), ("HTTPS://DAV.example/Set/", "/Set/"),
    ("http://dav.example/Set/", "/Set/"), ("https://dav.example.org/Set/", nil), ("//dav.example/Set/", nil),
    ("ftp://dav.example/Set/", nil),
  ])
  func `an address is one of the server, also if it writes http behind a proxy`(href: String, path: String?) {
    #expect(WebDAVClient.path(of: href, "https://dav.example") == path)
  }

  @Test func `a server without encryption does not speak for one with it`() {
    #expect(WebDAVClient.path(of: "https://10.0.0.2/Set/", "http://10.0.0.2") == nil)
    #expect(WebDAVClient.path(of: "http://10.0.0.2/Set/", "http://10.0.0.2") == "/Set/")
  }
}
