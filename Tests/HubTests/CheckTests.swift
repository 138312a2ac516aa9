import Glibc
import Hub
import HubWorld
import Store
import Terminal
import Testing
import World

/// The checks of `eightbells doctor` that need no broken machine. For the others see Tests/Hub/test_doctor.py.
struct CheckTests {
  func verdicts(_ findings: [Finding]) -> [String] { findings.map { "\($0.subject): \($0.verdict)" } }

  @Test(arguments: [
    (10_000_000_000, 1_000_000, ["disk: ok"]), (10_000_000_000, nil, ["disk: ok"]),
    (512 << 20, nil, ["disk: ok"]), (512 << 20 - 1, nil, ["disk: warning"]),
    (64 << 20, nil, ["disk: warning"]), (64 << 20 - 1, nil, ["disk: problem"]), (0, nil, ["disk: problem"]),
    (1 << 40, 9_999, ["disk: ok", "inodes: warning"]), (1 << 40, 99, ["disk: ok", "inodes: problem"]),
  ])
  func `a disk is judged by its free bytes and files`(bytes: Int, files: Int?, expected: [String]) {
    let findings = DiskCheck.findings("/data", freeBytes: bytes, freeFiles: files)
    #expect(verdicts(findings) == expected)
    for finding in findings where finding.verdict != .ok { #expect(finding.remedy.contains("df -")) }
  }

  @Test func `a folder that is not there yet is judged by the disk on which it would be made`() {
    #expect(DiskCheck.findings("/nowhere/at/all").map(\.subject).first == "disk")
    #expect(DiskCheck.findings("nowhere/at/all").map(\.subject).first == "disk")
  }

  @Test func `the room for large blobs is that of the disk that they are on`() async throws {
    let test = try await TestHub()
    #expect(test.hub.freeBytesForBlobs > 0)
    // A file system without room.
    try #require(symlink("/proc", "\(test.folder.path)/blobs") == 0)
    #expect(test.hub.freeBytesForBlobs == 0 && test.hub.freeBytes > 0)
  }

  @Test func `the disk of large blobs is judged, too, where it is another one`() throws {
    let folder = TemporaryFolder()
    #expect(DiskCheck.findings(folder.path).count { $0.subject == "disk" } == 1)
    // A file system without room.
    try #require(symlink("/proc", "\(folder.path)/blobs") == 0)
    let found = DiskCheck.findings(folder.path)
    #expect(found.last?.verdict == .problem && found.last?.text == "0 KB free for large blobs")
  }

  @Test(arguments: [(0, "0 KB"), (1, "1 KB"), (999_999, "1000 KB"), (12_345_678, "12 MB"), (4_560_000_000, "4.5 GB")])
  func `sizes are told by thousands`(bytes: Int, text: String) {
    #expect(DiskCheck.size(bytes) == text)
  }

  @Test func `a clock is judged by its year and by who keeps it`() {
    #expect(verdicts(ClockCheck.findings(now: 1_795_200_000, isSynchronised: true)) == ["clock: ok"])
    #expect(verdicts(ClockCheck.findings(now: 1_795_200_000, isSynchronised: false)) == ["clock: warning"])
    // A Raspberry Pi just after its start, without a network.
    #expect(verdicts(ClockCheck.findings(now: 12, isSynchronised: true)) == ["clock: problem"])
    #expect(ClockCheck.findings(now: 12, isSynchronised: true)[0].text.contains("1970-01-01"))
    #expect(verdicts(ClockCheck.findings(now: 4_200_000_000, isSynchronised: true)) == ["clock: problem"])
    #expect(verdicts(ClockCheck.findings(VirtualTime())).count == 1)
  }

  @Test(arguments: [(0, "ok"), (1.9, "ok"), (-1.9, "ok"), (2.1, "warning"), (-300, "warning")])
  func `a database server's clock is compared with this machine's`(ahead: Double, verdict: String) {
    let found = ServerCheck.findings(
      ServerCondition(
        version: "15.18", clockAhead: ahead, mayMakeTables: true, waitsForDisk: true, takesChanges: true,
        encoding: "UTF8"))
    #expect(verdicts(found) == ["server: \(verdict)"])
    if ahead == -300 { #expect(found[0].text == "its clock is 300 s behind") }
  }

  @Test func `a database that is not in UTF-8 is told`() {
    let found = ServerCheck.findings(
      ServerCondition(
        version: "15.18", clockAhead: 0, mayMakeTables: true, waitsForDisk: true, takesChanges: true,
        encoding: "LATIN1"))
    #expect(verdicts(found) == ["server: warning"])
    #expect(found[0].text.contains("LATIN1"))
  }

  @Test(arguments: [(0x6969, "NFS"), (-11_317_950, "SMB"), (0xff53_4d42, "SMB"), (0x6573_5546, "FUSE")])
  func `a file system of the network is known by its number`(type: Int, name: String) {
    #expect(FolderCheck.networkFileSystem(type)?.contains(name) == true)
  }

  @Test func `a stick as cameras have it is known as one where a file has one name`() {
    #expect([0x2011_bab0, 0x4d44, 0xef53].map(FolderCheck.linklessFileSystem) == ["exFAT", "FAT", nil])
  }

  @Test(arguments: [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0])
  func `a local file system is not mistaken for one`(type: Int) {
    #expect(FolderCheck.networkFileSystem(type) == nil)
    #expect((FolderCheck.passingFileSystem(type) != nil) == [0x0102_1994, 0x794c_7630].contains(type))
  }

  @Test(arguments: [
    ("/var/lib/eight-bells_1.conf", "/var/lib/eight-bells_1.conf"), ("/home/jörg/hub", "/home/jörg/hub"),
    ("/My Projects/data", "'/My Projects/data'"), ("/Ada's/$HOME", "'/Ada'\\''s/$HOME'"), ("", "''"),
  ])
  func `a command for a folder can be pasted`(path: String, word: String) {
    #expect(path.shellWord == word)
    let found = FolderCheck.findings("\(path)/nowhere")
    #expect(found.first?.remedy.contains("--data \("\(path)/nowhere".shellWord)`") == true)
  }

  @Test func `a folder of somebody else is a problem, for root it is none`() {
    let folder = TemporaryFolder()
    chmod(folder.path, 0o700)
    let others = FolderCheck.findings(folder.path, user: geteuid() + 4711)
    #expect(verdicts(others) == ["data folder: problem"])
    // The hub's folder is not to be taken away from its user.
    #expect(others[0].remedy.contains("chown -R") == (geteuid() == 0))
    if geteuid() == 0 { chown(folder.path, 65534, 65534) }
    let remedy = FolderCheck.findings(folder.path, user: 4711)[0].remedy
    #expect(remedy.contains("`sudo -u ") && !remedy.contains("chown"))
    if geteuid() == 0 { chown(folder.path, 0, 0) }
    #expect(verdicts(FolderCheck.findings(folder.path)).first == "data folder: ok")
    #expect(FolderCheck.findings(folder.path)[0].text.contains("mode 0700"))
  }

  @Test func `the table of sockets tells who listens on a port`() {
    let table = [
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
      "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0 100 0 0 10 0",
      "   1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 222 1 0 20 4",
      "   2: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0  0  0 333 1 0",
      "   3: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 444 1 0 100 0 0 10 0",
      "nonsense",
    ]
    #expect(PortCheck.listeningInodes(in: table, port: 8080) == ["111", "333"])
    #expect(PortCheck.listeningInodes(in: table, port: 81) == [])
  }

  @Test(arguments: [(21_000, "ok"), (20_999, "warning"), (1_024, "warning"), (1_023, "problem")])
  func `few descriptors mean few phones`(limit: Int, verdict: String) {
    #expect(verdicts(DescriptorCheck.findings(limit: limit, wanted: 21_000)) == ["descriptors: \(verdict)"])
  }

  @Test func `whatever is not well has something to do about it`() {
    let findings =
      DiskCheck.findings("/", freeBytes: 0, freeFiles: 0) + ClockCheck.findings(now: 0, isSynchronised: false)
      + DescriptorCheck.findings(limit: 1, wanted: 2) + FolderCheck.findings("/dev/null")
      + FolderCheck.findings("/nowhere/at/all")
      + CertificateCheck.findings(certificate: "/nowhere", key: "/n", publicURL: nil, now: 0)
      + CertificateCheck.findings(certificate: "", key: "/n", publicURL: nil, now: 0)
    #expect(findings.count == 8)
    for finding in findings {
      #expect(finding.verdict != .ok, "\(finding)")
      #expect(!finding.remedy.isEmpty, "\(finding)")
    }
  }
}
