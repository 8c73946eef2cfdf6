import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Ignores a file that was removed while its folder was read. */
const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

/**
 * Copies a folder that may change in the meantime: files that disappear are left out, and existing files of the target stay.
 * @param isWanted is called with each path relative to the folder
 * @returns the number of copied files
 */
export async function copyTree(
  from: string,
  to: string,
  isWanted: (path: string) => boolean = () => true,
  path = '',
): Promise<number> {
  const entries = await readdir(join(from, path), { withFileTypes: true }).catch(ignoreMissing);
  if (!entries) return 0;
  await mkdir(join(to, path), { recursive: true, mode: 0o700 });
  let copied = 0;
  for (const entry of entries) {
    const inside = join(path, entry.name);
    if (!isWanted(inside)) continue;
    const [source, target] = [join(from, inside), join(to, inside)];
    if (entry.isDirectory()) copied += await copyTree(from, to, isWanted, inside);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) copied += await copyNew(source, target);
  }
  return copied;
}

async function copyNew(source: string, target: string): Promise<number> {
  const flags = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
  return await copyFile(source, target, flags).then(
    () => 1,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') ignoreMissing(error);
      return 0;
    },
  );
}
