/**
 * Public API of encrypted values: sensitive data is stored in columns that end in `_sealed`, encrypted with a key of
 * the workspace.
 */
export { NotOpened, type Place } from './cipher.ts';
export { openSealed, readSealed, type Sealed } from './data-keys.ts';
