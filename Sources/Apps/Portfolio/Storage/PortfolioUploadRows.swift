import Receiving
import Store

/// The uploads to portfolios, for those that nobody continues.
struct PortfolioUploadRows: UploadRows {
  func blob(_ address: String) -> BlobName { PortfolioUpload.blob(address) }

  func expired(_ database: Database, now: Double, limit: Int) throws(StoreError) -> [String] {
    try database.expiredPortfolioUploads(now: now, limit: limit)
  }

  func abandoned(_ database: Database, limit: Int) throws(StoreError) -> [String] {
    try database.uploadsToDeletedPortfolios(limit: limit)
  }

  func prolong(_ address: String, until expires: Double, _ database: Database) throws(StoreError) {
    try database.prolongPortfolioUpload(address, until: expires)
  }

  func remove(_ address: String, _ database: Database) throws(StoreError) {
    try database.removePortfolioUpload(address)
  }
}
