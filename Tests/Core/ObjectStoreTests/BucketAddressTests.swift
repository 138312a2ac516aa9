import ObjectStore
import Store
import Testing

struct BucketAddressTests {
  @Test func `Amazon's is found by its region`() throws {
    let address = try BucketAddress("s3://club-files/hub?region=eu-central-1")
    #expect(address.origin == "https://club-files.s3.eu-central-1.amazonaws.com")
    #expect(address.path == "/hub/" && address.region == "eu-central-1" && address.credentials == nil)
    #expect(try BucketAddress("s3://club-files").path == "/")
    #expect(try BucketAddress("s3://club-files").host == "club-files.s3.us-east-1.amazonaws.com")
  }

  @Test(arguments: [
    ("endpoint=https://objects.example:9000", "https://club.objects.example:9000", "/a/b/"),
    ("endpoint=http://127.0.0.1:9000/&path-style", "http://127.0.0.1:9000", "/club/a/b/"),
    // As libcurl writes it into the field Host, which is signed.
    ("endpoint=https://Objects.example:443&path-style", "https://objects.example", "/club/a/b/"),
    ("endpoint=http://[::1]:80&path-style", "http://[::1]", "/club/a/b/"),
  ])
  func `others are named`(options: String, origin: String, path: String) throws {
    let address = try BucketAddress("s3://club/a//b/?\(options)")
    #expect(address.origin == origin && address.path == path)
    #expect("\(address.origin)".hasSuffix("//\(address.host)"))
  }

  @Test(arguments: [
    "postgres://club", "s3://", "s3://ab", "s3://key:secret@club", "s3://club/a b", "s3://club/../x", "s3://club?x=y",
    "s3://club?endpoint=", "s3://club?endpoint=ftp://x", "s3://club?endpoint=https://x/y", "s3://club?path-style=no",
    "s3://club?region=a/b", "s3://club_files", "s3://\(String(repeating: "a", count: 64))",
  ])
  func `what cannot be used is refused`(text: String) {
    #expect { _ = try BucketAddress(text) } throws: { error in
      (error as? StoreError)?.code == .open && !"\(error)".contains("secret")
    }
  }

  @Test func `keys are read from a file of either kind`() {
    let sections = "# mine\n[default]\naws_access_key_id = A\n aws_secret_access_key=b=/+\n[other]\naws_access_key_id=C"
    #expect(Credentials.read(sections) == ["aws_access_key_id": "A", "aws_secret_access_key": "b=/+"])
    #expect(Credentials.read("AWS_ACCESS_KEY_ID=A\r\nAWS_SESSION_TOKEN=t")["aws_session_token"] == "t")
  }

  @Test(arguments: [
    ("SignatureDoesNotMatch", "secret key", 403, false), ("NoSuchBucket", "no such bucket", 404, false),
    ("SlowDown", "too busy", 503, true), ("Strange", "403 Strange: <why>", 403, false),
  ])
  func `a refusal has words`(code: String, words: String, status: Int, isPassing: Bool) {
    let body = "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message><why></Message><Key>k</Key></Error>"
    let refusal = BucketRefusal(status: status, body: Array(body.utf8))
    #expect(refusal.words.contains(words) && refusal.isPassing == isPassing)
    #expect(BucketRefusal(status: 502, body: Array("<html>".utf8)).words == "the object store answered 502")
  }
}
