/** Decodes e-mails in any charset, as browsers do. */
import iconv from 'iconv-lite';

/** Charset of bytes without a usable declaration, as in browsers. */
const FALLBACK = 'windows-1252';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8, or returns undefined for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}

const hasNonAscii = (bytes: Uint8Array): boolean => bytes.some((byte) => byte > 0x7f);

/** Returns the charset of a byte order mark, which overrides any declaration, as in browsers. */
function charsetOfMark([one, two, three]: Uint8Array): string | undefined {
  if (one === 0xef && two === 0xbb && three === 0xbf) return 'utf-8';
  if (one === 0xfe && two === 0xff) return 'utf-16be';
  return one === 0xff && two === 0xfe ? 'utf-16le' : undefined;
}

/** Returns the charset that HTML declares in its first bytes. */
export const charsetOfHtml = (bytes: Uint8Array): string | undefined =>
  /<meta[^>]{1,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(
    Buffer.from(bytes.subarray(0, 2_048)).toString('latin1'),
  )?.[1];

/** Returns the byte order of UTF-16 without a mark: most characters in e-mails have zero as their high byte. */
function endOfUtf16(bytes: Uint8Array): 'utf-16be' | 'utf-16le' {
  const upper = bytes.subarray(0, 2_000).filter((byte, at) => byte === 0 && at % 2 === 0).length;
  const lower = bytes.subarray(0, 2_000).filter((byte, at) => byte === 0 && at % 2 === 1).length;
  return upper > lower ? 'utf-16be' : 'utf-16le';
}

/** Decodes a charset of the Encoding Standard, or one that only e-mails use, such as UTF-7. */
function decodeAs(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return iconv.encodingExists(charset) ? iconv.decode(bytes, charset) : undefined;
  }
}

/** Decodes text declared as UTF-8. Without a valid character beyond ASCII, the bytes are in another charset. */
function decodeDeclaredUtf8(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(bytes);
  return /[^\0-\x7f\ufffd]/.test(text) ? text : new TextDecoder(FALLBACK).decode(bytes);
}

/** Charset names that define only ASCII, are placeholders, or are transfer encodings. */
const MEANINGLESS = new Set([
  'ascii',
  'us-ascii',
  'usascii',
  'unknown-8bit',
  'x-unknown',
  'unknown',
  '8bit',
  '7bit',
  'default',
  'base64',
  'hex',
  'binary',
  'none',
]);

/** Maximum length of a charset name. */
const CHARSET_MAX = 100;

/**
 * Decodes text.
 * @param declared charset declared by the sender. Missing, unknown and wrong ones count as windows-1252, unless the
 * bytes
 *   are valid UTF-8
 */
export function decodeText(bytes: Uint8Array, declared?: string | null): string {
  const mark = charsetOfMark(bytes);
  if (mark) return decodeAs(mark, bytes)!;
  const charset = (declared ?? '').slice(0, CHARSET_MAX).trim().toLowerCase().replaceAll(/["']/g, '');
  const isUtf8 = /^utf-?8$/.test(charset);
  if (charset && !isUtf8 && !MEANINGLESS.has(charset)) {
    const text = decodeAs(charset === 'utf-16' ? endOfUtf16(bytes) : charset, bytes);
    if (text !== undefined) return text;
  }
  if (!hasNonAscii(bytes)) return Buffer.from(bytes).toString('latin1');
  return decodeUtf8(bytes) ?? (isUtf8 ? decodeDeclaredUtf8(bytes) : new TextDecoder(FALLBACK).decode(bytes));
}

/** Matches adjacent encoded words (RFC 2047) of one charset and encoding. A character can span two of these words. */
const WORDS =
  /=\?([\w.:-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]*)\?=(?:\s+=\?\1(?:\*[\w-]{1,20})?\?\2\?[^?\s]*\?=)*/gi;

function bytesOfWord(encoding: string, text: string): Buffer {
  if (encoding.toLowerCase() === 'b') return Buffer.from(text, 'base64');
  const binary = text
    .replaceAll('_', ' ')
    .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(binary, 'latin1');
}

/**
 * Converts the head of a message to UTF-8, including its encoded words.
 * @param charset charset of the body, which applies to head bytes that are not UTF-8
 */
export function headInUtf8(head: Uint8Array, charset: string | null): Buffer {
  const isEscaped = charset !== null && /^iso-2022/i.test(charset) && Buffer.from(head).includes('\u001b');
  const text = (isEscaped ? undefined : decodeUtf8(head)) ?? decodeText(head, charset);
  const decoded = text.replaceAll(WORDS, (run: string, name: string, encoding: string) => {
    const encodedWords = run.split(/\s+/).map((word) => bytesOfWord(encoding, word.split('?')[3]!));
    const plain = decodeText(Buffer.concat(encodedWords), name).replaceAll(/[\r\n]+/g, ' ');
    return plain ? `=?utf-8?B?${Buffer.from(plain).toString('base64')}?=` : '';
  });
  return Buffer.from(decoded);
}
