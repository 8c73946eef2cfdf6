/** Files: taken in under limits, judged by what is in them, kept under random names, handed out by short-lived links. */
import { createHmac, type KeyObject, randomUUID, timingSafeEqual } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileTypeFromFile } from 'file-type';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import multer from 'multer';
import { clock } from './clock.ts';
import { Fault, fault, invalid, NotFound } from './fault.ts';
import { derivedSecret } from './identity.ts';

/** An uploaded file that was checked and stored. */
export interface StoredFile {
  /** Where it is kept: `<workspace>/<random id>`. */
  key: string;
  /** The name that its sender gave it, without anything harmful, and ending as its content demands. */
  name: string;
  size: number;
  /** As found in the content, whatever the sender said. */
  mime: string;
}

/** What an operation takes in as multipart/form-data. */
export interface Upload {
  field: string;
  kinds: keyof typeof KINDS | readonly string[];
  max_bytes?: number;
  many?: boolean;
}

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';
const ENDINGS: Record<string, readonly string[]> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  [`${OFFICE}.wordprocessingml.document`]: ['docx'],
  [`${OFFICE}.spreadsheetml.sheet`]: ['xlsx'],
  [`${OFFICE}.presentationml.presentation`]: ['pptx'],
  [`${OPEN_DOCUMENT}.text`]: ['odt'],
  [`${OPEN_DOCUMENT}.spreadsheet`]: ['ods'],
  [`${OPEN_DOCUMENT}.presentation`]: ['odp'],
  'text/csv': ['csv'],
  'text/plain': ['txt', 'md', 'log'],
};
const KINDS = { images: IMAGES, documents: Object.keys(ENDINGS) };

const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 5;
const MAX_FIELDS = 20;
const FORM_BYTES = 256 * 1024;
const HOUR_MS = 3_600_000;

const named = (status: number, code: string, field: string, message: string) =>
  new Fault(status, code, message, { errors: { [field]: [message] } });
const tooLarge = (field: string, max: number) =>
  named(413, 'file_too_large', field, `A file may have at most ${Math.floor(max / 1024)} KiB.`);
const unsupported = (field: string, kinds: readonly string[]) => {
  const endings = kinds.flatMap((mime) => ENDINGS[mime] ?? [mime]).join(', ');
  return named(415, 'unsupported_file_type', field, `This type of file is not accepted. Send one of: ${endings}.`);
};

/** Where a service keeps its files. */
export interface Storage {
  /** Where uploads lie until they are checked. */
  incoming: string;
  /** Moves a checked file in. */
  adopt(path: string, key: string): Promise<void>;
  /** Keeps bytes made by the service itself, such as a thumbnail. */
  put(workspace_id: string, content: Uint8Array): Promise<string>;
  read(key: string): Promise<Uint8Array>;
  open(key: string): Promise<{ stream: Readable; size: number }>;
  remove(key: string): Promise<void>;
}

const KEY = /^[\w-]+\/[\w-]+$/;

/** Opens the storage in a directory; what interrupted uploads left there an hour ago is deleted. */
export function openStorage(directory: string): Storage {
  const disk = new Disk(new FSDriver({ location: directory, visibility: 'private' }));
  const incoming = join(directory, '.incoming');
  mkdirSync(incoming, { recursive: true });
  const sweep = async () => {
    for (const name of await readdir(incoming)) {
      const { mtimeMs } = await stat(join(incoming, name));
      if (clock.now().getTime() - mtimeMs > HOUR_MS) await rm(join(incoming, name), { force: true });
    }
  };
  sweep().catch(() => undefined);
  const checked = (key: string): string => {
    if (!KEY.test(key)) throw NotFound();
    return key;
  };
  return {
    incoming,
    adopt: (path, key) => disk.moveFromFs(path, checked(key)),
    async put(workspace_id, content) {
      const key = checked(`${workspace_id}/${randomUUID()}`);
      await disk.put(key, content);
      return key;
    },
    read: (key) => disk.getBytes(checked(key)),
    async open(key) {
      if (!(await disk.exists(checked(key)))) throw NotFound();
      const { contentLength } = await disk.getMetaData(key);
      return { stream: await disk.getStream(key), size: contentLength };
    },
    remove: (key) => disk.delete(checked(key)),
  };
}

/** What multer refuses, in words for the sender. */
function refusal(error: unknown, field: string, max: number): unknown {
  if (!(error instanceof multer.MulterError)) {
    // Anything else is the form's own end or shape: cut off, no boundary, malformed headers.
    const lost = error instanceof Error && 'code' in error;
    return lost ? error : invalid(field, 'The upload is incomplete or malformed. Send it again.');
  }
  if (error.code === 'LIMIT_FILE_SIZE') return tooLarge(field, max);
  if (error.code === 'LIMIT_UNEXPECTED_FILE' && error.field !== field)
    return invalid(error.field ?? field, 'No file is expected here.');
  if (error.code === 'LIMIT_FILE_COUNT' || error.code === 'LIMIT_UNEXPECTED_FILE')
    return invalid(field, 'There are too many files.');
  return invalid(error.field ?? 'body', 'The form has too many fields, or one that is too long.');
}

const ACTIVE = /<\s*(\?xml|!doctype|html|head|body|script|svg|iframe|object|embed)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x08\x0b\x0e-\x1f\x7f]/;

/** Plain text is UTF-8 without control characters, and nothing that a browser might run. */
async function isPlainText(path: string): Promise<boolean> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    return !CONTROL.test(text) && !text.trimStart().startsWith('<') && !ACTIVE.test(text.slice(0, 4_096));
  } catch {
    return false;
  }
}

/** The type of a file by its content alone; only between kinds of plain text does its name decide. */
async function typeOf(path: string, name: string, kinds: readonly string[]): Promise<string | undefined> {
  const found = await fileTypeFromFile(path, { maxBufferSize: 1024 * 1024 }).catch(() => undefined);
  if (found && kinds.includes(found.mime)) return found.mime;
  const text = name.toLowerCase().endsWith('.csv') ? 'text/csv' : 'text/plain';
  return kinds.includes(text) && (await isPlainText(path)) ? text : undefined;
}

/** Takes out of a name what could mislead people or programs, and makes it end as its content demands. */
function harmless(name: string, mime: string): string {
  const clean = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{C}\u2028\u2029]/gu, '')
    .replaceAll(/[\\/:*?"<>|%;]/g, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  const endings = ENDINGS[mime] ?? [];
  const ending = /\.([^.]*)$/.exec(clean)?.[1]?.toLowerCase() ?? '';
  const short = [...(clean || 'file')];
  if (endings.includes(ending)) return [...short.slice(0, -ending.length - 1).slice(0, 120), `.${ending}`].join('');
  return [...short.slice(0, 120), endings[0] ? `.${endings[0]}` : ''].join('');
}

function parse(request: IncomingMessage, response: ServerResponse, upload: Upload, incoming: string, max: number) {
  const files = upload.many ? MAX_FILES : 1;
  const form = multer({
    storage: multer.diskStorage({ destination: incoming }),
    defParamCharset: 'utf8',
    limits: {
      files,
      fileSize: max,
      fields: MAX_FIELDS,
      parts: files + MAX_FIELDS,
      fieldSize: 10_000,
      fieldNameSize: 100,
      headerPairs: 50,
      fieldNestingDepth: 0,
      fieldArrayIndexLimit: 0,
    },
  }).array(upload.field, files);
  return new Promise<void>((resolve, reject) => {
    form(request as never, response as never, (error) =>
      error ? reject(refusal(error, upload.field, max)) : resolve(),
    );
  });
}

/**
 * Takes in a multipart form: its text fields, and its files, checked and stored. After a refusal nothing is left behind.
 * @throws Fault 413 `file_too_large`, 415 `unsupported_file_type`, 422 naming the field
 */
export async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  upload: Upload,
  { storage, workspace_id }: { storage: Storage; workspace_id: string },
): Promise<{ files: StoredFile[]; fields: Record<string, string | string[]> }> {
  const { field, many = false, max_bytes: max = DEFAULT_MAX_BYTES } = upload;
  const kinds = typeof upload.kinds === 'string' ? KINDS[upload.kinds] : upload.kinds;
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new Fault(415, 'unsupported_media_type', 'Send the form as multipart/form-data.');
  }
  if (Number(request.headers['content-length']) > max * (many ? MAX_FILES : 1) + FORM_BYTES) throw tooLarge(field, max);
  await parse(request, response, upload, storage.incoming, max);
  const { files: parts, body } = request as unknown as { files: Express.Multer.File[]; body: Record<string, string> };
  const stored: StoredFile[] = [];
  try {
    if (parts.length === 0) throw invalid(field, 'No file was sent.');
    for (const { path, originalname, size } of parts) {
      if (size === 0) throw invalid(field, 'The file is empty.');
      const mime = await typeOf(path, originalname, kinds);
      if (!mime) throw unsupported(field, kinds);
      const file = { key: `${workspace_id}/${randomUUID()}`, name: harmless(originalname, mime), size, mime };
      stored.push(file);
      await storage.adopt(path, file.key);
    }
    return { files: stored, fields: { ...body } };
  } catch (error) {
    await Promise.allSettled(stored.map((file) => storage.remove(file.key)));
    throw error;
  } finally {
    await Promise.allSettled(parts.map((part) => rm(part.path, { force: true })));
  }
}

/** What a link leads to. */
export interface FileLink {
  key: string;
  name: string;
  mime: string;
}

export interface FileLinks {
  /** A token that opens one file, for a while. */
  sign(link: FileLink, life_s: number): string;
  /** @throws LinkExpired for a link that has expired or that we never made */
  open(token: string): FileLink;
}

export const LinkExpired = fault(403, 'link_expired', 'This link has expired. Open the record again for a new one.');

/** Makes and opens links with a secret that is derived from the process's private key, so that replicas agree on it. */
export function fileLinks(private_key: KeyObject): FileLinks {
  const secret = derivedSecret(private_key, 'suite file links');
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest();
  return {
    sign({ key, name, mime }, life_s) {
      const expires_at = Math.floor(clock.now().getTime() / 1000) + life_s;
      const text = Buffer.from(JSON.stringify([key, name, mime, expires_at])).toString('base64url');
      return `${text}.${mac(text).toString('base64url')}`;
    },
    open(token) {
      const [text = '', signature = ''] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const made = mac(text);
      if (given.length !== made.length || !timingSafeEqual(given, made)) throw LinkExpired();
      const [key, name, mime, expires_at] = JSON.parse(Buffer.from(text, 'base64url').toString());
      if (clock.now().getTime() / 1000 >= expires_at) throw LinkExpired();
      return { key, name, mime };
    },
  };
}

/** Streams a file as an attachment that no browser will show or run. */
export async function sendFile(
  response: ServerResponse,
  storage: Storage,
  { key, name, mime }: FileLink,
): Promise<void> {
  const { stream, size } = await storage.open(key);
  const ascii = name.replaceAll(/[^\w.() -]/g, '_');
  const utf8 = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  response.writeHead(200, {
    'Content-Type': mime,
    'Content-Length': size,
    'Content-Disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
  });
  await pipeline(stream, response);
}
