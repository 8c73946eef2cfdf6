/**
 * Public API of encrypted values: sensitive data is stored in columns that end in `_sealed`, encrypted with a key of
 * the workspace.
 */
export { DecryptionFailed, type CipherLocation } from './cipher.ts';
export { openEncryption, openDecryption, type FieldCipher } from './data-keys.ts';
