/**
 * Files: received under limits, checked by their content, stored under random names, and served by short-lived links.
 */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MulterError } from 'multer';
import { Fault, invalid } from '../runtime/fault.ts';
import type { FileLink } from '../identity/file-links.ts';
import { safeFileName } from '../files/file-name.ts';
import { KINDS, typeOfFile } from '../files/file-type.ts';
import { type Storage, orStorageFull } from '../storage/storage.ts';

/** A checked and stored upload. */
export interface StoredFile {
  /** The key in the storage: `<workspace>/<random id>`. */
  key: string;
  /** The sender's file name, without harmful characters, and with the extension of the content. */
  name: string;
  size: number;
  /** The media type, detected from the content regardless of what the sender specifies. */
  mime: string;
  /** True if only the beginning is stored, because the file is too large. `size` is then the full size, if known. */
  cut?: boolean;
}

/** The files that an operation accepts as multipart/form-data. */
export interface Upload {
  field: string;
  /** A family of types, or the accepted types. */
  kinds: keyof typeof KINDS | readonly string[];
  max_bytes?: number;
  many?: boolean;
  /** True if the operation also accepts JSON, or a form without a file. */
  optional?: boolean;
}

const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 5;
const FORM_BYTES = 256 * 1024;
const LIMITS = { fields: 60, parts: 60 + MAX_FILES, fieldSize: 10_000, fieldNameSize: 100, headerPairs: 50 };
/** The size limit of a reply's text in a form with files: 50,000 characters of up to four bytes. */
const LONG_FIELD = { fieldSize: 200_000 };
/** Limits for field names such as `requester[name]`, `tags[]` and `lines[0][text]`. */
const BRACKETS = { fieldNestingDepth: 2, fieldArrayIndexLimit: 50 };

const fileFault = (status: number, code: string, field: string, message: string) =>
  new Fault(status, code, message, { errors: { [field]: [message] } });
const tooLarge = (field: string, max: number) =>
  fileFault(413, 'file_too_large', field, `A file may have at most ${Math.floor(max / 1024)} KiB.`);

const isOfParser = (error: unknown): error is MulterError => error instanceof Error && error.name === 'MulterError';

/** Converts an error of the parser to a fault for the sender. */
function uploadFault(error: unknown, field: string, max: number): unknown {
  if (!isOfParser(error)) {
    // Errors of the file system have codes. Other errors are about the form: truncated, without a boundary, or
    // malformed.
    const ours = error instanceof Error && 'code' in error && error.code !== 'ECONNRESET';
    return ours ? error : invalid(field, 'The upload is incomplete or malformed. Send it again.');
  }
  const { code, field: named = field } = error;
  if (code === 'LIMIT_FILE_SIZE') return tooLarge(field, max);
  if (code === 'LIMIT_UNEXPECTED_FILE' && named !== field) return invalid(named, 'This request does not accept files.');
  if (code === 'LIMIT_FILE_COUNT' || code === 'LIMIT_UNEXPECTED_FILE')
    return invalid(field, 'Send fewer files: this form has too many.');
  return invalid(named, 'The form has too many fields, or a field is too long or nested.');
}

/** Checks an uploaded file. @throws Fault 415 `unsupported_file_type`, FileRefusedByScan, ScanUnavailable */
async function checkedFile(
  { path, originalname, size }: Pick<Express.Multer.File, 'path' | 'originalname' | 'size'>,
  field: string,
  kinds: readonly string[],
  { scan }: Storage,
) {
  if (size === 0) throw invalid(field, 'The file is empty.');
  const type = await typeOfFile(path, originalname, kinds);
  if (!type) throw fileFault(415, 'unsupported_file_type', field, `Send one of these file types: ${kinds.join(', ')}.`);
  await scan(path);
  return { path, size, name: safeFileName(originalname, type.ext), mime: type.mime };
}

/**
 * Receives a multipart form: its text fields, and its files, checked and stored. A rejection leaves no files behind.
 * @throws Fault 413 `file_too_large`, 415 `unsupported_file_type`, 422 naming the field, FileRefusedByScan,
 * ScanUnavailable
 */
export async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { field, kinds: family, many = false, max_bytes: max = DEFAULT_MAX_BYTES, optional = false }: Upload,
  { storage, workspace_id }: { storage: Storage; workspace_id: string },
): Promise<{ files: StoredFile[]; fields: Record<string, unknown> }> {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Fault(415, 'unsupported_media_type', 'Send the form as multipart/form-data.');
  }
  const files = many ? MAX_FILES : 1;
  if (Number(request.headers['content-length']) > max * files + FORM_BYTES) throw tooLarge(field, max);
  // Loaded for the first form, because many processes never receive one.
  const { default: multer } = await import('multer');
  const begun: string[] = [];
  const filename = (_request: unknown, _file: unknown, name: (error: null, name: string) => void) => {
    const id = randomUUID();
    begun.push(join(storage.incoming, id));
    name(null, id);
  };
  const place = multer.diskStorage({ destination: storage.incoming, filename });
  const limits = { ...LIMITS, ...BRACKETS, ...(optional && LONG_FIELD), files, fileSize: max };
  const parse = multer({ storage: place, defParamCharset: 'utf8', limits }).array(field, files);
  const form = request as IncomingMessage & { files: Express.Multer.File[]; body: Record<string, unknown> };
  const parsed = new Promise<void>((resolve, reject) => {
    parse(form as never, response as never, (error) => (error ? reject(uploadFault(error, field, max)) : resolve()));
  });
  // A full disk leaves a truncated file that the parser does not delete.
  const clear = () => Promise.allSettled(begun.map((path) => rm(path, { force: true })));
  await orStorageFull(storage.incoming, parsed).catch((error: unknown) => clear().then(() => Promise.reject(error)));
  const kinds = typeof family === 'string' ? KINDS[family] : family;
  const stored: StoredFile[] = [];
  try {
    if (form.files.length === 0 && !optional) throw invalid(field, 'No file was sent.');
    const checks = await Promise.allSettled(form.files.map((file) => checkedFile(file, field, kinds, storage)));
    for (const check of checks) if (check.status === 'rejected') throw check.reason;
    for (const { path, name, size, mime } of checks.flatMap((check) => ('value' in check ? [check.value] : []))) {
      const key = `${workspace_id}/${randomUUID()}`;
      stored.push({ key, name, size, mime });
      await storage.adopt(path, key);
    }
    return { files: stored, fields: { ...form.body } };
  } catch (error) {
    await Promise.allSettled(stored.map(({ key }) => storage.remove(key)));
    throw error;
  } finally {
    await clear();
  }
}

/**
 * Stores a file that arrived within something else, such as an attachment of an e-mail, if its type is accepted.
 * @returns undefined for a rejected type, or for an empty file
 * @throws FileRefusedByScan, ScanUnavailable
 */
export async function storeFile(
  { name, content }: { name: string; content: Uint8Array },
  family: keyof typeof KINDS,
  { storage, workspace_id }: { storage: Storage; workspace_id: string },
): Promise<StoredFile | undefined> {
  if (content.length === 0) return undefined;
  const path = join(storage.incoming, randomUUID());
  try {
    await orStorageFull(storage.incoming, writeFile(path, content, { mode: 0o600 }));
    const type = await typeOfFile(path, name, KINDS[family]);
    if (!type) return undefined;
    await storage.scan(path);
    const key = `${workspace_id}/${randomUUID()}`;
    await storage.adopt(path, key);
    return { key, name: safeFileName(name, type.ext), size: content.length, mime: type.mime };
  } finally {
    await rm(path, { force: true });
  }
}

/** Cache lifetime of a public file. Anyone with its address may see it, so pages of other sites may embed it. */
const PUBLIC_CACHE = 'public, max-age=86400, immutable';
const PRIVATE_CACHE = 'private, max-age=3600';

/** Types that a browser displays inline and that cannot run code. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Types that browsers can run. They are sent as bytes without a type. */
const ACTIVE = ['text/html', 'application/xml', 'text/xml', 'image/svg+xml', 'application/xhtml+xml'];

/** Streams a file: an image inline, any other file as an attachment that no browser opens automatically. */
export async function sendFile(
  response: ServerResponse,
  storage: Storage,
  link: FileLink,
  { isPublic = false } = {},
): Promise<void> {
  const { stream, size } = await storage.open(link.key);
  const ascii = link.name.replaceAll(/[^\w.() -]/g, '_');
  const utf8 = encodeURIComponent(link.name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  response.writeHead(200, {
    'Content-Type': ACTIVE.includes(link.mime) ? 'application/octet-stream' : link.mime,
    'Content-Length': size,
    'Content-Disposition': `${IMAGE_TYPES.includes(link.mime) ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${utf8}`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': isPublic ? PUBLIC_CACHE : PRIVATE_CACHE,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  await pipeline(stream, response);
}
