/** Detects the type of a file by its content. Types without a signature are distinguished by the file name. */
import { open, readFile } from 'node:fs/promises';
import { decodeText, utf16Of } from './text-content.ts';

/** A file type, with the extension that the file name gets. */
export interface FileType {
  ext: string;
  mime: string;
}

const words = (text: string): string[] => text.split(' ');
const IMAGES = words('png jpg gif webp');
const OFFICE = words(
  'pdf docx dotx xlsx xltx pptx potx ppsx odt ott ods ots odp otp odg doc xls ppt pps vsd vsdx mpp pub rtf pages numbers key epub',
);
const TEXT = words('csv txt log md json xml html eml ics vcf asc');
const ARCHIVES = words('zip gz tar.gz 7z rar tar bz2 xz');
/** Other common attachments: phone photos, recordings, and parts of e-mails. */
const OTHERS = words('heic tif bmp mp3 m4a wav ogg mp4 mov webm msg dat p7s p7m');

/** Families of accepted types, by file name extension. */
export const KINDS = { images: IMAGES, documents: [...IMAGES, ...OFFICE, ...TEXT, ...ARCHIVES, ...OTHERS] };

/** Extensions of programs, scripts and shortcuts that systems run when a user opens them. */
const EXECUTABLE = new Set(
  words(
    'exe com scr pif cpl msi msp mst dll sys drv ocx bat cmd ps1 psm1 psd1 vbs vbe js jse mjs cjs wsf wsh wsc hta sct reg inf lnk url ' +
      'scf chm hlp jar jnlp class apk app dmg pkg deb rpm sh bash zsh csh command run bin elf so dylib iso img vhd vhdx ' +
      'docm dotm xlsm xltm xlam xlsb pptm potm ppsm ppam sldm one svg svgz swf xhtml xht mht mhtml shtml php asp aspx jsp py pl rb',
  ),
);

/** Text files with a media type of their own, by extension. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  eml: 'message/rfc822',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  asc: 'application/pgp-signature',
};

/** First lines of text files that programs import. */
const FIRST_LINES: Readonly<Record<string, RegExp>> = { ics: /^BEGIN:VCALENDAR/i, vcf: /^BEGIN:VCARD/i };

const OPEN_XML = 'application/vnd.openxmlformats-officedocument';

/**
 * Types of the old Office format, which share one signature. Office uses the same format for documents with a password.
 */
const COMPOUND_TYPES: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  pps: 'application/vnd.ms-powerpoint',
  vsd: 'application/vnd.visio',
  mpp: 'application/vnd.ms-project',
  pub: 'application/vnd.ms-publisher',
  msg: 'application/vnd.ms-outlook',
  docx: `${OPEN_XML}.wordprocessingml.document`,
  xlsx: `${OPEN_XML}.spreadsheetml.sheet`,
  pptx: `${OPEN_XML}.presentationml.presentation`,
};
/** The folder of a compound file that contains macros. */
const MACROS = Buffer.from('_VBA_PROJECT', 'utf16le');

/** The first bytes of Outlook's `winmail.dat`. */
const TNEF = Buffer.from([0x78, 0x9f, 0x3e, 0x22]);
const SIGNATURES: Readonly<Record<string, string>> = {
  p7s: 'application/pkcs7-signature',
  p7m: 'application/pkcs7-mime',
};

/** Formats that can consist of text but are not plain text. */
const FORMATS_OF_TEXT = words('pdf rtf ps eps');

const BEGINNING_BYTES = 8_192;
/** Control characters in text files: white space, and codes of terminals and old printers. */
const TEXT_CONTROLS = new Set([0x07, 0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1a, 0x1b]);

/** Returns the extension of a name, in lower case. Windows ignores dots and spaces at the end. */
function endingOf(name: string): string {
  const ending = /\.([a-z0-9]{1,10})[.\s]*$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return ending === 'htm' ? 'html' : ending;
}

/** Returns the 16-bit units of a UTF-16 text, or the bytes of any other text. */
function unitsOf(bytes: Buffer): Uint8Array | Uint16Array {
  const utf16 = utf16Of(bytes);
  if (!utf16) return bytes;
  const copy = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  if (utf16 === 'utf-16be') copy.swap16();
  return new Uint16Array(copy.buffer, copy.byteOffset, copy.length / 2);
}

/** Returns true if bytes are text in some charset: without zeros and with hardly any control characters. */
function isText(bytes: Buffer): boolean {
  let controls = 0;
  const units = unitsOf(bytes);
  for (const unit of units) {
    if (unit === 0) return false;
    if (unit < 0x20 && !TEXT_CONTROLS.has(unit)) controls += 1;
  }
  return controls * 100 < units.length;
}

/** Returns the start of a text, which shows its type. */
function beginningOf(bytes: Buffer): string {
  const beginning = bytes.subarray(0, BEGINNING_BYTES);
  const text = utf16Of(beginning) ? decodeText(beginning) : beginning.toString('latin1').replace(/^ï»¿/, '');
  return text.trimStart();
}

/** An SVG drawing, recognised by its first element after declarations and comments. */
const DRAWING =
  /^(?:<\?[^>]*>\s*|<!--(?:(?!-->)[^])*-->\s*|<!DOCTYPE(?:[^>[]|\[[^\]]*\])*>\s*)*<(?:[\w.-]+:)?svg[\s>/]/i;

/** Checks for scripts (by the first line) and for drawings that can run scripts. Both are rejected under any name. */
const isActiveText = (text: string): boolean => text.startsWith('#!') || DRAWING.test(text);

/** Returns the type of a text by its name. Without a known extension, returns the detected type or plain text. */
function typeOfText(bytes: Buffer, name: string, detected: string | undefined): FileType | undefined {
  const ending = endingOf(name);
  const text = beginningOf(bytes);
  if (EXECUTABLE.has(ending) || isActiveText(text)) return undefined;
  const ext = [ending, detected ?? '', 'txt'].find(
    (each) => TEXT_TYPES[each] && (FIRST_LINES[each]?.test(text) ?? true),
  )!;
  return { ext, mime: TEXT_TYPES[ext]! };
}

async function readBeginning(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function typeOfCompound(path: string, ending: string): Promise<FileType | undefined> {
  const mime = COMPOUND_TYPES[ending];
  if (!mime || (await readFile(path)).includes(MACROS)) return undefined;
  return { ext: ending, mime };
}

/** Returns the possible types of a file. A text can also be plain text. */
async function possibleTypes(path: string, name: string): Promise<(FileType | undefined)[]> {
  // Loaded for the first file, because many processes never receive one.
  const { fileTypeFromFile } = await import('file-type');
  const found = await fileTypeFromFile(path, { maxBufferSize: 1024 * 1024 }).catch(() => undefined);
  const beginning = await readBeginning(path);
  // Short signatures, such as "BMW" and "MZ", can also be the start of texts.
  if (isText(beginning) && !FORMATS_OF_TEXT.includes(found?.ext ?? '')) {
    const bytes = await readFile(path);
    const type = isText(bytes) ? typeOfText(bytes, name, found?.ext) : undefined;
    return type ? [type, { ext: 'txt', mime: 'text/plain' }] : [];
  }
  const ending = endingOf(name);
  if (found?.ext === 'cfb') return [await typeOfCompound(path, ending)];
  if (found) return [found];
  if (beginning.subarray(0, TNEF.length).equals(TNEF)) return [{ ext: 'dat', mime: 'application/ms-tnef' }];
  // Signatures and encrypted messages in e-mails begin with the tag of a sequence.
  return [beginning[0] === 0x30 && SIGNATURES[ending] ? { ext: ending, mime: SIGNATURES[ending] } : undefined];
}

/**
 * Detects the type of a received file. Archives are not unpacked.
 * @param kinds the accepted types, by extension or media type
 * @returns undefined for a type that is not accepted, and for programs and active content
 */
export async function typeOfFile(path: string, name: string, kinds: readonly string[]): Promise<FileType | undefined> {
  const types = await possibleTypes(path, name);
  return types.find((type) => type && (kinds.includes(type.ext) || kinds.includes(type.mime)));
}
