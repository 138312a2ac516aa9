import Receiving
import Store

/// The uploads of albums, for those that nobody continues.
struct AlbumUploadRows: UploadRows {
  func blob(_ address: String) -> BlobName { PendingUpload.blob(address) }

  func expired(_ database: Database, now: Double, limit: Int) throws(StoreError) -> [String] {
    try database.expiredUploads(now: now, limit: limit)
  }

  func abandoned(_ database: Database, limit: Int) throws(StoreError) -> [String] {
    try database.uploadsOfDeletedAlbums(limit: limit)
  }

  func prolong(_ address: String, until expires: Double, _ database: Database) throws(StoreError) {
    try database.prolongUpload(address, until: expires)
  }

  func remove(_ address: String, _ database: Database) throws(StoreError) { try database.removeUpload(address) }
}
