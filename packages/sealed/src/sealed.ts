/** The front door of sealed values: what is sensitive lies in columns that end in `_sealed`, encrypted by a key of the workspace. */
export { NotOpened, type Place } from './cipher.ts';
export { openSealed, readSealed, type Sealed } from './data-keys.ts';
