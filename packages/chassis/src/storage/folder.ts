import { chmodSync, mkdirSync } from 'node:fs';
import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from 'flydrive';
import type { Place, StoredObject } from './place.ts';

const OWNER_ONLY = 0o600;

/** Opens a directory for this user only, including a directory that an earlier release has left open. */
export function openDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    chmodSync(directory, 0o700);
  } catch (error) {
    // A volume of a cluster belongs to another user, who has restricted it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

async function openDisk(location: string): Promise<Disk> {
  const [flydrive, { FSDriver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/fs')]);
  return new flydrive.Disk(new FSDriver({ location, visibility: 'private' }));
}

/** An open folder for files. All replicas of a service share it. Other users of the machine have no access. */
export function folder(directory: string): Place {
  let opened: Promise<Disk> | undefined;
  return {
    name: directory,
    disk: () => (opened ??= openDisk(directory)),
    pathOf: (key) => key,
    restrict: (key) => chmod(join(directory, key), OWNER_ONLY),
    withFile: (key, work) => work(join(directory, key)),
    folders: () => readdir(directory),
    async list(workspace_id) {
      const found = (await readdir(join(directory, workspace_id))).map(async (name): Promise<StoredObject[]> => {
        const key = `${workspace_id}/${name}`;
        const file = await stat(join(directory, key)).catch(() => undefined);
        return file?.isFile() ? [{ key, size: file.size, changed_at: file.mtime }] : [];
      });
      return (await Promise.all(found)).flat();
    },
  };
}
