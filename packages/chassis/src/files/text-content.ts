/** The text in files that come from any program. */

/**
 * Decodes the text of a file: UTF-8, or UTF-16 with a byte order mark, which is removed.
 * Chosen: other bytes are read as Windows-1252, in which office programs export tables, as browsers do.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
