/** Decodes the text of files from any program. */

/** Returns the encoding of a text that begins with a UTF-16 byte order mark. */
export function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/**
 * Decodes the text of a file: UTF-8, or UTF-16 with a byte order mark, which is removed. Chosen: bytes that are not
 * UTF-8 are decoded as Windows-1252, as in browsers, because office programs export tables in it.
 */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
