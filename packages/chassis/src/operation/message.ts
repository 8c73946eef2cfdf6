/**
 * Request body that is a single message, such as an e-mail. It is received as a stream, under a limit, and stored
 * unchanged.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, truncate } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Fault, type FaultMaker, invalid, UnsupportedMediaType } from '../runtime/fault.ts';
import type { StoredFile } from './files.ts';
import { type Storage, orStorageFull } from '../storage/storage.ts';

/** The message that an operation accepts instead of fields. */
export interface WholeMessage {
  /** The media type of the message: `message/rfc822`. */
  mime: string;
  max_bytes: number;
  /** The fault for a message that is too large. */
  too_large: FaultMaker;
  /**
   * The bytes at the beginning of a larger message that are stored, for an operation that records it. The file is then marked
   * as cut, and the operation returns `too_large`.
   */
  head_bytes?: number;
}

/** The largest size that a column of the type `integer` stores. */
const SIZE_MAX = 2 ** 31 - 1;

/**
 * Receives a message. A rejection leaves nothing behind.
 * @throws `too_large`; Fault 415 `unsupported_media_type`, 422 for an empty or malformed message
 */
export async function receiveMessage(
  request: IncomingMessage,
  { mime, max_bytes, too_large, head_bytes }: WholeMessage,
  { storage, workspace_id }: { storage: Storage; workspace_id: string },
): Promise<StoredFile> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== mime)
    throw new Fault(415, UnsupportedMediaType.code, `Send the message as ${mime}.`);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > max_bytes && head_bytes === undefined) throw too_large();
  const path = join(storage.incoming, randomUUID());
  let size = 0;
  let cut = false;
  // Leaves the rest of a rejected message unread, and the connection open for the response.
  const limited = async function* () {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > max_bytes && head_bytes === undefined) throw too_large();
      cut = size > max_bytes || (announced > max_bytes && size >= head_bytes!);
      yield chunk;
      if (cut) return;
    }
  };
  try {
    const taken = pipeline(limited, createWriteStream(path, { mode: 0o600 }));
    await orStorageFull(storage.incoming, taken).catch((error: unknown) => {
      throw isCutOff(error) ? invalid('message', 'The message is incomplete. Send it again.') : error;
    });
    if (size === 0) throw invalid('message', 'The message is empty.');
    if (cut) await truncate(path, head_bytes);
    const key = `${workspace_id}/${randomUUID()}`;
    await storage.adopt(path, key);
    const file = { key, name: 'message', size, mime };
    return cut ? { ...file, size: Math.min(Math.max(size, announced), SIZE_MAX), cut } : file;
  } finally {
    await rm(path, { force: true });
  }
}

/** Returns true if the sender closed the connection early. */
const isCutOff = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes((error as NodeJS.ErrnoException).code ?? '');
