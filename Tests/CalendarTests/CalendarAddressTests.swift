import Calendar
import Testing

struct CalendarAddressTests {
  @Test(arguments: [
    ("file:a.ics", "/data/a.ics"), ("file:///a/b.ics", "/a/b.ics"), ("file:/a/b.ics", "/a/b.ics"),
    ("file://localhost/a.ics", "/a.ics"), ("file://other/a.ics", nil),
  ])
  func `a file's address names a file of this machine`(url: String, path: String?) {
    #expect(CalendarReader.path(of: url, dataFolder: "/data") == path)
  }

  @Test(arguments: [
    ("file:a.ics", true), ("file:a/../b.ics", false), ("file:/data/../\u{301}a.ics", false),
    ("file:/e\u{301}/a.ics", true), ("file:/\u{E9}/a.ics", false), ("file:/data\u{301}/a.ics", false),
  ])
  func `a file is in a folder by its bytes, not by what they look like`(url: String, isInside: Bool) {
    #expect(CalendarReader.isInside(url, ["/data", "/e\u{301}"]) == isInside)
  }

  @Test(arguments: [
    ("https://a.example/secret", "a.example"), ("https://a.example/\u{301}secret", "a.example"),
    ("https://a.example?key=secret", "a.example"), ("https://a.example#secret", "a.example"),
    ("https://me:secret@a.example:8443/", "a.example:8443"), ("file:a.ics", "file:a.ics"),
    ("https://me:secret@\u{301}a.example/", "\u{301}a.example"),
  ])
  func `the log is told no more of a calendar's address than its host`(url: String, label: String) {
    #expect(KeptCalendar(url: url).label == label)
  }

  @Test func `a copy is told from others, and not by the time of the request in it`() {
    func copy(_ stamp: String, _ title: String) -> [UInt8] {
      KeptCalendar.digest(of: Array("BEGIN:VEVENT\r\nDTSTAMP:\(stamp)\r\nSUMMARY:\(title)\r\nEND:VEVENT\r\n".utf8))
    }
    #expect(copy("20261120T184000Z", "Soldering") == copy("20261120T184500Z", "Soldering"))
    #expect(copy("20261120T184000Z", "Soldering") != copy("20261120T184000Z", "Knitting"))
  }
}
