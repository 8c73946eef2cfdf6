/**
 * Bodies as they arrive. Small ones are read before the request takes a place at its service, so that a body that never
 * ends holds nothing but its connection; uploads are passed on as they come, and must come at a pace.
 */
import type { IncomingMessage } from 'node:http';
import { PayloadTooLarge } from '@suite/chassis/gateway';
import { ServiceUnavailable } from '../request/faults.ts';
import { shares } from '../limits/fair-share.ts';

/** What a service reads of a body that is no form. */
export const SMALL_BYTES = 256 * 1024;
/** Of all bodies that are in the gateway's memory. */
const ALL_BYTES = 64 * 1024 * 1024;

/** An upload brings so much in each while, or it is ended. */
export const PACE = { bytes: 32 * 1024, while_ms: 4_000 };

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether a body is passed on as it comes; a small form is read first, like everything that is small. */
export function isUpload({ headers }: IncomingMessage): boolean {
  if (!headers['content-type']?.startsWith('multipart/form-data')) return false;
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) > SMALL_BYTES;
}

/** Reads small bodies, all of them within one budget, of which no address takes everything. */
export type BodyReader = (
  request: IncomingMessage,
  address: string,
  done: (error: Error | undefined, body: Buffer) => void,
) => { forget(): void };

/** Makes the reader. What it has read counts until it is told to forget it. */
export function bodyReader(): BodyReader {
  const budget = shares(ALL_BYTES);

  return (request, address, done) => {
    const chunks: Buffer[] = [];
    const accounts = [{ name: address, greed: 2 }];
    let held = 0;
    const end = (error?: Error) => {
      request.off('data', take).off('end', finish);
      done(error, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    const take = (chunk: Buffer) => {
      if (held + chunk.length > SMALL_BYTES) return end(PayloadTooLarge());
      if (!budget.admit(accounts)) return end(ServiceUnavailable());
      chunks.push(chunk);
      held += chunk.length;
      budget.take(accounts, chunk.length);
    };
    const finish = () => end();
    if (Number(request.headers['content-length'] ?? 0) > SMALL_BYTES) done(PayloadTooLarge(), Buffer.alloc(0));
    else request.on('data', take).on('end', finish);
    return {
      forget() {
        request.off('data', take).off('end', finish);
        budget.giveBack(accounts, held);
        held = 0;
        chunks.length = 0;
      },
    };
  };
}

/** Watches an upload. When the service reads slowly, bytes wait here, and the client is not blamed for it. */
export function watchPace(request: IncomingMessage, tooSlow: () => void): NodeJS.Timeout {
  let before = request.socket.bytesRead;
  const watch = setInterval(() => {
    const arrived = request.socket.bytesRead;
    const isSlow = arrived - before < PACE.bytes && request.readableLength === 0;
    before = arrived;
    if (request.complete) clearInterval(watch);
    else if (isSlow) tooSlow();
  }, PACE.while_ms);
  return watch.unref();
}
