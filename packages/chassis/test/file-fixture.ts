/** Fixture for file tests: a server for uploads and downloads, and files to upload. */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { Fault } from '../src/runtime/fault.ts';
import { fileLinks } from '../src/identity/file-links.ts';
import { receive, type StoredFile, sendFile, type Upload } from '../src/operation/files.ts';
import { openStorage } from '../src/storage/storage.ts';
import { keysOf, temporaryDirectory } from './fixture.ts';

export interface Answer {
  status: number;
  code: string;
  errors: Record<string, string[]>;
  files: StoredFile[];
  fields: Record<string, string>;
}

/** Starts a server with an empty storage. `upload` is what it currently accepts. */
export async function fileServer() {
  const directory = temporaryDirectory();
  const storage = openStorage(directory);
  const workspace_id = randomUUID();
  const links = fileLinks(keysOf('crm')['crm']!.private_key, 'http://suite.test');
  const state = { upload: documents, lastError: undefined as unknown };
  const server = createServer(async (request, response) => {
    try {
      if (request.method === 'GET') return await sendFile(response, storage, links.open(request.url!.slice(1)));
      const taken = await receive(request, response, state.upload, { storage, workspace_id });
      response.writeHead(201).end(JSON.stringify(taken));
    } catch (error) {
      state.lastError = error;
      // A client that disconnects during a download gets no further data.
      if (response.headersSent) return void response.destroy();
      const { status, code, errors } =
        error instanceof Fault ? error : { status: 500, code: String(error), errors: {} };
      response.writeHead(status).end(JSON.stringify({ code, errors }));
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}/`;
  return {
    directory,
    storage,
    workspace_id,
    links,
    state,
    port,
    url,
    /** All files in the storage. */
    kept: () => readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    async post(body: FormData | string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
      const response = await fetch(url, { method: 'POST', body: body as string, headers });
      return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
    },
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Returns a form with one file. */
export const formWithFile = (content: Uint8Array | string, name: string, type = '') => {
  const form = new FormData();
  form.append('file', new File([content], name, { type }), name);
  return form;
};

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const GIF = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
export const PDF = '%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF';
export const documents: Upload = { field: 'file', kinds: 'documents', max_bytes: 100_000 };
export const images: Upload = { field: 'file', kinds: 'images', max_bytes: 100_000 };

/** Returns a zip archive of uncompressed entries, as in Office formats. */
export function zip(...entries: [name: string, content: string][]): Buffer {
  const parts: Buffer[] = [];
  const listing: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(Number(crc32(content)), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name + content)]);
    const central = Buffer.alloc(16);
    central.writeUInt32LE(offset, 12);
    listing.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, central.subarray(2), Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  return Buffer.concat([...parts, ...listing]);
}

const crc32 = (content: string) => {
  let crc = ~0;
  for (const byte of Buffer.from(content)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
};

export const docx = (main: string) =>
  zip(
    ['[Content_Types].xml', `<Types><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`],
    ['word/document.xml', '<w:document/>'],
  );
export const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
