/**
 * Request bodies. Small ones are read before the request enters the bulkhead, so that a body that never ends costs a
 * connection and nothing else. Uploads are streamed to the service and must keep a minimum rate.
 */
import type { IncomingMessage } from 'node:http';
import { PayloadTooLarge } from '@suite/chassis/gateway';
import { fairShare } from '../limits/fair-share.ts';
import { ServiceUnavailable } from '../request/faults.ts';

/** The size that a service accepts for a body that is no form. */
export const MAX_BODY_BYTES = 256 * 1024;
/** The memory for all bodies together. */
const MEMORY_BYTES = 64 * 1024 * 1024;

/** An upload that sends less than this in one interval is ended. */
export const MIN_UPLOAD_RATE = { bytes: 32 * 1024, interval_ms: 4_000 };

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Forms with files, and e-mails. */
const STREAMED = /^(?:multipart\/form-data|message\/rfc822)\b/i;

/** True for a body of a type that may be large. */
export const isStreamable = ({ headers }: IncomingMessage): boolean => STREAMED.test(headers['content-type'] ?? '');

/** True for a body that is streamed to the service. A small form is read first, like every other small body. */
export function isUpload(request: IncomingMessage): boolean {
  if (!isStreamable(request)) return false;
  return Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MAX_BODY_BYTES;
}

/** Reads one small body into the shared memory; `discard` frees it. */
export type BodyReader = (
  request: IncomingMessage,
  address: string,
  done: (error: Error | undefined, body: Buffer) => void,
) => { discard(): void };

/** Makes the reader. All bodies share one memory, fairly by address. */
export function bodyReader(): BodyReader {
  const memory = fairShare(MEMORY_BYTES);

  return (request, address, done) => {
    const chunks: Buffer[] = [];
    const consumers = [{ name: address, weight: 2 }];
    let length = 0;
    const stop = () => request.off('data', onData).off('end', finish);
    const finish = (error?: Error) => {
      stop();
      done(error, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    const onData = (chunk: Buffer) => {
      if (length + chunk.length > MAX_BODY_BYTES) return finish(PayloadTooLarge());
      if (!memory.admits(consumers)) return finish(ServiceUnavailable());
      chunks.push(chunk);
      length += chunk.length;
      memory.acquire(consumers, chunk.length);
    };
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) done(PayloadTooLarge(), Buffer.alloc(0));
    else request.on('data', onData).on('end', finish);
    return {
      discard() {
        stop();
        memory.release(consumers, length);
        length = 0;
        chunks.length = 0;
      },
    };
  };
}

/** Calls `tooSlow` when the client sends too little, but not while the service reads too slowly. */
export function watchUpload(request: IncomingMessage, tooSlow: () => void): NodeJS.Timeout {
  let before = request.socket.bytesRead;
  const watch = setInterval(() => {
    const received = request.socket.bytesRead;
    const isSlow = received - before < MIN_UPLOAD_RATE.bytes && request.readableLength === 0;
    before = received;
    if (request.complete) clearInterval(watch);
    else if (isSlow) tooSlow();
  }, MIN_UPLOAD_RATE.interval_ms);
  return watch.unref();
}
