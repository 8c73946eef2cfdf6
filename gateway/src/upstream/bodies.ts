/**
 * Request bodies. Small bodies are read before the request enters the bulkhead, so that an endless body uses only a
 * connection. Uploads are streamed to the service and must have a minimum rate.
 */
import type { IncomingMessage } from 'node:http';
import { PayloadTooLarge } from '@suite/chassis/gateway';
import { fairShare } from '../limits/fair-share.ts';
import { ServiceUnavailable } from '../request/faults.ts';

/** Maximum size of a body that is not a form, as in the services. */
export const MAX_BODY_BYTES = 256 * 1024;
/** Maximum memory for all bodies together. */
const MEMORY_BYTES = 64 * 1024 * 1024;

/** Minimum upload rate. A slower upload is ended. */
export const MIN_UPLOAD_RATE = { bytes: 32 * 1024, interval_ms: 4_000 };

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Types of forms with files, and of e-mails. */
const STREAMED = /^(?:multipart\/form-data|message\/rfc822)\b/i;

/** Checks if the type of a body permits a large size. */
export const isStreamable = ({ headers }: IncomingMessage): boolean => STREAMED.test(headers['content-type'] ?? '');

/** Checks if a body is streamed to the service. A small form is read first, like any other small body. */
export function isUpload(request: IncomingMessage): boolean {
  if (!isStreamable(request)) return false;
  return Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MAX_BODY_BYTES;
}

/**
 * Reads a small body into the shared memory. `discard` frees the memory.
 * @param max_bytes largest size of the body. Defaults to the limit of the services
 */
export type BodyReader = (
  request: IncomingMessage,
  address: string,
  done: (error: Error | undefined, body: Buffer) => void,
  max_bytes?: number,
) => { discard(): void };

/** Creates the reader. All bodies share one memory limit, fairly by address. */
export function bodyReader(): BodyReader {
  const memory = fairShare(MEMORY_BYTES);

  return (request, address, done, max_bytes = MAX_BODY_BYTES) => {
    const chunks: Buffer[] = [];
    const consumers = [{ name: address, weight: 2 }];
    let length = 0;
    const stop = () => request.off('data', onData).off('end', finish);
    const finish = (error?: Error) => {
      stop();
      done(error, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    const onData = (chunk: Buffer) => {
      if (length + chunk.length > max_bytes) return finish(PayloadTooLarge());
      if (!memory.admits(consumers)) return finish(ServiceUnavailable());
      chunks.push(chunk);
      length += chunk.length;
      memory.acquire(consumers, chunk.length);
    };
    if (Number(request.headers['content-length'] ?? 0) > max_bytes) done(PayloadTooLarge(), Buffer.alloc(0));
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

/** Calls `tooSlow` if the client sends too slowly, but not if the service reads too slowly. */
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
