/** The storage of a service's files: a folder or a bucket. A full or unavailable storage has its own fault. */
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from 'flydrive';
import type { FileScan } from '../files/file-scan.ts';
import { clock } from '../runtime/clock.ts';
import { NotFound, storageFull, Unavailable } from '../runtime/fault.ts';
import { Id } from '../schema/fields.ts';
import { bucket, type BucketSettings } from './bucket.ts';
import { folder, openDirectory } from './folder.ts';
import type { Place } from './place.ts';

const HOUR_MS = 3_600_000;
const SETTLED_MS = 600_000;
const KEY = /^[\w-]+\/[\w-]+$/;

function assertKey(key: string): string {
  if (!KEY.test(key)) throw NotFound();
  return key;
}

interface StorageError {
  code?: string;
  cause?: unknown;
  /** Part of each error of S3. */
  $metadata?: { httpStatusCode?: number };
}

const FULL = 507;
/** Errors of a server that cannot be reached or does not respond. */
const UNREACHABLE = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|TimeoutError)/;

/** Returns true if an error, or one of its causes, fulfils a condition. Libraries hide the reason in a cause. */
const hasReason = (error: unknown, isReason: (error: StorageError & Error) => boolean): boolean =>
  error instanceof Error && (isReason(error) || hasReason(error.cause, isReason));

const isFull = ({ code, $metadata }: StorageError): boolean =>
  code === 'ENOSPC' || code === 'EDQUOT' || $metadata?.httpStatusCode === FULL;

const isUnavailable = ({ code, name, $metadata }: StorageError & Error): boolean =>
  UNREACHABLE.test(code ?? name) || ($metadata?.httpStatusCode ?? 0) >= 500;

/** Waits for a write to a path. @throws StorageFull, whose cause names the path, if the disk is full */
export async function orStorageFull<T>(place: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!hasReason(error, isFull)) throw error;
    throw storageFull(new Error(`No space is left in ${place}.`, { cause: error }));
  }
}

/** Waits for access to a place. @throws StorageFull, or Unavailable if a bucket does not respond */
async function orStorageFault<T>(place: string, work: Promise<T>): Promise<T> {
  try {
    return await orStorageFull(place, work);
  } catch (error) {
    if (!hasReason(error, isUnavailable)) throw error;
    throw Object.assign(Unavailable(), { cause: new Error(`No response from ${place}.`, { cause: error }) });
  }
}

/** Deletes leftovers of interrupted uploads that are over an hour old. */
async function deleteLeftovers(incoming: string): Promise<void> {
  for (const path of (await readdir(incoming)).map((name) => join(incoming, name))) {
    const { mtimeMs = Number.POSITIVE_INFINITY } = (await stat(path).catch(() => undefined)) ?? {};
    if (clock.now().getTime() - mtimeMs > HOUR_MS) await rm(path, { force: true });
  }
}

/** Calls the disk with the path of an object. @throws NotFound for an invalid key */
type Access = <T>(key: string, work: (disk: Disk, path: string) => Promise<T>) => Promise<T>;

/** Returns the functions that change objects. */
const writesTo = (place: Place, at: Access) => ({
  /** Moves a checked file into the storage. */
  async adopt(path: string, key: string): Promise<void> {
    await at(key, (disk, to) => disk.moveFromFs(path, to));
    await place.restrict(key);
  },
  /** Stores bytes that the service created itself, such as a thumbnail, and returns their key. */
  async put(workspace_id: string, content: Uint8Array): Promise<string> {
    const key = `${workspace_id}/${randomUUID()}`;
    try {
      await at(key, (disk, path) => disk.put(path, content));
      await place.restrict(key);
      return key;
    } catch (error) {
      await at(key, (disk, path) => disk.delete(path)).catch(() => undefined);
      throw error;
    }
  },
  remove(key: string): Promise<void> {
    return at(key, (disk, path) => disk.delete(path));
  },
});

/** Returns the functions that read and list objects. */
const readsOf = (place: Place, at: Access) => ({
  read(key: string): Promise<Uint8Array> {
    return at(key, (disk, path) => disk.getBytes(path));
  },
  open(key: string) {
    return at(key, async (disk, path) => {
      if (!(await disk.exists(path))) throw NotFound();
      return { stream: await disk.getStream(path), size: (await disk.getMetaData(path)).contentLength };
    });
  },
  /** Returns the workspaces that have ever stored files. */
  async workspaces(): Promise<string[]> {
    return (await orStorageFault(place.name, place.folders())).filter((name) => Id.safeParse(name).success);
  },
  /** Returns the objects of a workspace. Excludes objects of the last minutes, because their command may still fail. */
  async settled(workspace_id: string): Promise<{ key: string; size: number }[]> {
    const before = clock.now().getTime() - SETTLED_MS;
    const objects = await orStorageFault(place.name, place.list(workspace_id));
    return objects.flatMap(({ key, size, changed_at }) => (changed_at.getTime() < before ? [{ key, size }] : []));
  },
});

/** The storage of a service's files. */
export type Storage = ReturnType<typeof openStorage>;

/**
 * Opens the storage.
 * @param directory folder for unchecked uploads and, without a bucket, for all files
 */
export function openStorage(
  directory: string,
  { scan = () => Promise.resolve(), s3 }: { scan?: FileScan; s3?: BucketSettings | undefined } = {},
) {
  const incoming = join(directory, '.incoming');
  for (const each of [directory, incoming]) openDirectory(each);
  const place = s3 ? bucket(s3, incoming) : folder(directory);
  void deleteLeftovers(incoming);
  const at: Access = async (key, work) => {
    const path = place.pathOf(assertKey(key));
    const disk = await place.disk();
    return await orStorageFault(place.name, work(disk, path));
  };
  return {
    /** The folder of unchecked uploads. */
    incoming,
    scan,
    /** Scans a stored file before it is sent. @throws FileRefusedByScan, ScanUnavailable */
    scanStored(key: string): Promise<void> {
      return orStorageFault(
        place.name,
        place.withFile(assertKey(key), (path) => this.scan(path)),
      );
    },
    ...writesTo(place, at),
    ...readsOf(place, at),
  };
}
