import Testing
import Wire

@testable import Flickr

struct OAuthSignatureTests {
  /// The example of OAuth Core 1.0a, appendix A.5.
  @Test func `the example of OAuth Core has its signature`() {
    let parameters: [OAuthSignature.Parameter] = [
      ("file", "vacation.jpg"), ("size", "original"), ("oauth_consumer_key", "dpf43f3p2l4k3l03"),
      ("oauth_token", "nnch734d00sl2jdk"), ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "1191242096"),
      ("oauth_nonce", "kllo9940pd9333jh"), ("oauth_version", "1.0"),
    ]
    for url in [
      "http://photos.example.net/photos", "HTTP://Photos.example.net:80/photos?file=vacation.jpg&size=original#top",
    ] {
      #expect(
        OAuthSignature.signature(
          "get", url, parameters, secret: "kd94hf93k423kf44", tokenSecret: "pfkkdhi9sl3r4s00")
          == "tR3+Ty81lMeYAr/Fid0kMTYa/WM=")
    }
  }

  @Test func `parameters are sorted by what their encoded names are`() {
    let parameters: [OAuthSignature.Parameter] = [
      ("z", "~._-!*'()"), ("c@", ""), ("b5", "=%3D"), ("a2", "r b"), ("a", "b+c"), ("a", "b c"), ("é", "ü"),
    ]
    #expect(
      OAuthSignature.normalized(parameters)
        == "%C3%A9=%C3%BC&a=b%20c&a=b%2Bc&a2=r%20b&b5=%3D%253D&c%40=&z=~._-%21%2A%27%28%29")
  }

  @Test func `the address that is signed has no default port and no query`() {
    for (url, base) in [
      ("https://API.Flickr.com:443/services/rest/?a=b", "https://api.flickr.com/services/rest/"),
      ("https://api.flickr.com:80/Path", "https://api.flickr.com:80/Path"),
      ("http://127.0.0.1:8200", "http://127.0.0.1:8200/"),
    ] {
      #expect(OAuthSignature.baseAddress(url) == base)
    }
  }

  @Test func `a code is taken as people type it`() {
    for text in ["123-456-789", "123456789", " 123 456 789\n"] {
      #expect(FlickrAPI.verifier(text) == "123-456-789")
    }
    #expect(FlickrAPI.verifier(" 5d1b96a26b494074 ") == "5d1b96a26b494074")
    #expect(FlickrAPI.verifier("12-34") == "12-34")
  }

  @Test func `a key has letters and digits`() {
    #expect(FlickrKey(key: "9a05", secret: "00ff") != nil)
    for (key, secret) in [("", "a"), ("a", ""), ("a b", "c"), ("a", "c\n"), (String(repeating: "a", count: 101), "c")] {
      #expect(FlickrKey(key: key, secret: secret) == nil)
    }
  }
}
