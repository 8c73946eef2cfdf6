/** The storage of a service's files: closed to other users of the machine, with a fault of its own for a full disk. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from 'flydrive';
import { clock } from '../runtime/clock.ts';
import { NotFound, storageFull } from '../runtime/fault.ts';
import type { Scan } from '../files/file-scan.ts';
import { Id } from '../schema/fields.ts';

const HOUR_MS = 3_600_000;
const SETTLED_MS = 600_000;
const OURS_ALONE = 0o600;
const KEY = /^[\w-]+\/[\w-]+$/;

function checked(key: string): string {
  if (!KEY.test(key)) throw NotFound();
  return key;
}

/** Whether a disk or a quota is used up; libraries hide the reason in a cause. */
function isFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isFull(cause));
}

/** Waits for work that writes to a place. @throws StorageFull, whose cause names the place, when there is no room */
export async function withRoom<T>(place: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isFull(error)) throw error;
    throw storageFull(new Error(`No space is left in ${place}.`, { cause: error }));
  }
}

/** Opens a directory to nobody else, also one that an earlier release has left open. */
function openDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    chmodSync(directory, 0o700);
  } catch (error) {
    // A volume that a cluster lends us belongs to somebody else, who has closed it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** Loaded with the first file: many processes never see one. */
async function openDisk(location: string): Promise<Disk> {
  const [flydrive, { FSDriver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/fs')]);
  return new flydrive.Disk(new FSDriver({ location, visibility: 'private' }));
}

/** The objects of a workspace; none that was stored within the last minutes, by a command that may fail yet. */
async function settledIn(directory: string, workspace_id: string): Promise<{ key: string; size: number }[]> {
  const before = clock.now().getTime() - SETTLED_MS;
  const objects = (await readdir(join(directory, workspace_id))).map(async (name) => {
    const key = `${workspace_id}/${name}`;
    const found = await stat(join(directory, key)).catch(() => undefined);
    return found?.isFile() && found.mtimeMs < before ? [{ key, size: found.size }] : [];
  });
  return (await Promise.all(objects)).flat();
}

/** The storage of a service's files. */
export type Storage = ReturnType<typeof openStorage>;

/** Opens the storage in a directory; what interrupted uploads left there an hour ago is deleted. */
export function openStorage(directory: string, scan: Scan = () => Promise.resolve()) {
  let opened: Promise<Disk> | undefined;
  const disk = () => (opened ??= openDisk(directory));
  const incoming = join(directory, '.incoming');
  for (const each of [directory, incoming]) openDirectory(each);
  void readdir(incoming).then(async (names) => {
    for (const path of names.map((name) => join(incoming, name))) {
      const { mtimeMs = Number.POSITIVE_INFINITY } = (await stat(path).catch(() => undefined)) ?? {};
      if (clock.now().getTime() - mtimeMs > HOUR_MS) await rm(path, { force: true });
    }
  });
  return {
    /** The folder of uploads that are not checked yet. */
    incoming,
    scan,
    /** Scans a stored file before it is sent. @throws FileRefusedByScan, ScanUnavailable */
    scanStored(key: string): Promise<void> {
      return this.scan(join(directory, checked(key)));
    },
    /** Moves a checked file in. */
    async adopt(path: string, key: string): Promise<void> {
      const to = await disk();
      await withRoom(directory, to.moveFromFs(path, checked(key)));
      await chmod(join(directory, key), OURS_ALONE);
    },
    /** Keeps bytes that the service made itself, such as a thumbnail, and returns their key. */
    async put(workspace_id: string, content: Uint8Array): Promise<string> {
      const key = checked(`${workspace_id}/${randomUUID()}`);
      const to = await disk();
      const kept = to.put(key, content).then(() => chmod(join(directory, key), OURS_ALONE));
      await withRoom(directory, kept).catch(async (error: unknown) => {
        await rm(join(directory, key), { force: true });
        throw error;
      });
      return key;
    },
    read(key: string): Promise<Uint8Array> {
      const name = checked(key);
      return disk().then((from) => from.getBytes(name));
    },
    async open(key: string) {
      const name = checked(key);
      const from = await disk();
      if (!(await from.exists(name))) throw NotFound();
      return { stream: await from.getStream(key), size: (await from.getMetaData(key)).contentLength };
    },
    /** The workspaces that files were ever stored for. */
    async workspaces(): Promise<string[]> {
      return (await readdir(directory)).filter((name) => Id.safeParse(name).success);
    },
    /** The objects of a workspace that no running command has stored. */
    settled: (workspace_id: string) => settledIn(directory, workspace_id),
    remove(key: string): Promise<void> {
      const name = checked(key);
      return disk().then((from) => from.delete(name));
    },
  };
}
