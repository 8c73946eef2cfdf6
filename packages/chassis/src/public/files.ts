/** Uploaded, stored and served files. */
export { sendLinked, sendPublic } from '../http/linked-file.ts';
export { KINDS as FILE_KINDS } from '../files/file-type.ts';
export { decodeText } from '../files/text-content.ts';
export { type FileLinks, LinkExpired } from '../identity/file-links.ts';
export { sendFile, type StoredFile, storeFile } from '../operation/files.ts';
export type { Storage } from '../storage/storage.ts';
export { fileRemoval } from '../schedules/file-removal.ts';
export { type StorageReport, storageReports } from '../schedules/storage-report.ts';
export { remainingStorage } from '../schedules/stored-objects.ts';
