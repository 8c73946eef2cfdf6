/** The scan hook: an HTTP endpoint of the operator checks each received file before it is stored. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { FileRefusedByScan, ScanUnavailable } from '../runtime/fault.ts';
import type { Log } from '../runtime/log.ts';

/** The settings of the scan hook. */
export interface ScanSettings {
  /** Endpoint that receives each file by POST. Undefined for no scan. */
  url: string | undefined;
  timeout_ms: number;
  /** Effect on files that could not be scanned. */
  on_failure: 'refuse' | 'accept';
}

/** Response statuses of an endpoint that rejects a file. */
const REFUSED = [403, 406, 409, 422];

/** Checks a file. @throws FileRefusedByScan, ScanUnavailable */
export type FileScan = (path: string) => Promise<void>;

async function scan({ url, timeout_ms }: ScanSettings, path: string): Promise<number> {
  const { size } = await stat(path);
  const response = await fetch(url!, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
    body: Readable.toWeb(createReadStream(path)),
    duplex: 'half',
    redirect: 'error',
    signal: AbortSignal.timeout(timeout_ms),
  });
  await response.body?.cancel();
  return response.status;
}

/**
 * Opens the scan of an installation. The endpoint returns 2xx for a clean file and 403, 406, 409 or 422 for a rejected
 * file.
 */
export function openScan(settings: ScanSettings, log: Pick<Log, 'warn'>): FileScan {
  return async (path) => {
    if (!settings.url) return;
    const outcome = await scan(settings, path).catch((error: unknown) => error);
    if (REFUSED.includes(outcome as number)) throw FileRefusedByScan();
    if (typeof outcome === 'number' && outcome >= 200 && outcome < 300) return;
    log.warn({ outcome, on_failure: settings.on_failure }, 'File scan failed');
    if (settings.on_failure === 'refuse') throw ScanUnavailable();
  };
}
