/** The storage of a service's files. Other users of the machine have no access. A full disk has its own fault. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from 'flydrive';
import { clock } from '../runtime/clock.ts';
import { NotFound, storageFull } from '../runtime/fault.ts';
import type { FileScan } from '../files/file-scan.ts';
import { Id } from '../schema/fields.ts';

const HOUR_MS = 3_600_000;
const SETTLED_MS = 600_000;
const OWNER_ONLY = 0o600;
const KEY = /^[\w-]+\/[\w-]+$/;

function assertKey(key: string): string {
  if (!KEY.test(key)) throw NotFound();
  return key;
}

/** Returns true if a disk or a quota is full. Libraries hide the reason in a cause. */
function isFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isFull(cause));
}

/** Waits for a write to a path. @throws StorageFull, whose cause names the path, if the disk is full */
export async function orStorageFull<T>(place: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isFull(error)) throw error;
    throw storageFull(new Error(`No space is left in ${place}.`, { cause: error }));
  }
}

/** Opens a directory for this user only, including a directory that an earlier release has left open. */
function openDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    chmodSync(directory, 0o700);
  } catch (error) {
    // A volume of a cluster belongs to another user, who has restricted it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** Loaded for the first file, because many processes never receive one. */
async function openDisk(location: string): Promise<Disk> {
  const [flydrive, { FSDriver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/fs')]);
  return new flydrive.Disk(new FSDriver({ location, visibility: 'private' }));
}

/** Returns the objects of a workspace. Excludes objects of the last minutes, because their command may still fail. */
async function listSettled(directory: string, workspace_id: string): Promise<{ key: string; size: number }[]> {
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

/** Opens the storage in a directory. Deletes leftovers of interrupted uploads that are over an hour old. */
export function openStorage(directory: string, scan: FileScan = () => Promise.resolve()) {
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
    /** The folder of unchecked uploads. */
    incoming,
    scan,
    /** Scans a stored file before it is sent. @throws FileRefusedByScan, ScanUnavailable */
    scanStored(key: string): Promise<void> {
      return this.scan(join(directory, assertKey(key)));
    },
    /** Moves a checked file into the storage. */
    async adopt(path: string, key: string): Promise<void> {
      const to = await disk();
      await orStorageFull(directory, to.moveFromFs(path, assertKey(key)));
      await chmod(join(directory, key), OWNER_ONLY);
    },
    /** Stores bytes that the service created itself, such as a thumbnail, and returns their key. */
    async put(workspace_id: string, content: Uint8Array): Promise<string> {
      const key = assertKey(`${workspace_id}/${randomUUID()}`);
      const to = await disk();
      const kept = to.put(key, content).then(() => chmod(join(directory, key), OWNER_ONLY));
      await orStorageFull(directory, kept).catch(async (error: unknown) => {
        await rm(join(directory, key), { force: true });
        throw error;
      });
      return key;
    },
    read(key: string): Promise<Uint8Array> {
      const name = assertKey(key);
      return disk().then((from) => from.getBytes(name));
    },
    async open(key: string) {
      const name = assertKey(key);
      const from = await disk();
      if (!(await from.exists(name))) throw NotFound();
      return { stream: await from.getStream(key), size: (await from.getMetaData(key)).contentLength };
    },
    /** Returns the workspaces that have ever stored files. */
    async workspaces(): Promise<string[]> {
      return (await readdir(directory)).filter((name) => Id.safeParse(name).success);
    },
    /** Returns the objects of a workspace, except objects of running commands. */
    settled: (workspace_id: string) => listSettled(directory, workspace_id),
    remove(key: string): Promise<void> {
      const name = assertKey(key);
      return disk().then((from) => from.delete(name));
    },
  };
}
