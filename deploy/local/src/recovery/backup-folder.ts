/**
 * The folder of backups (`BACKUP_DIR`):
 * - `wal`: the archive of the write-ahead log. PostgreSQL needs it to recover to a time after a backup.
 * - `<time>/databases`, `<time>/files`, `<time>/backup.json`: one backup each.
 * - `restores.json`: the restores, which began timelines.
 * The keys are in `<time>` of another folder, `<BACKUP_DIR>-keys`, because a thief of both could read encrypted fields.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LaunchError } from '../launch-error.ts';

/** The description of a complete backup. */
export interface Backup {
  /** Name of the folder. */
  name: string;
  /** The first time that the backup can be restored to. ISO 8601. */
  finished_at: string;
  /** Name of the first segment of the write-ahead log that the backup needs. */
  first_segment: string;
}

const DESCRIPTION = 'backup.json';
const INCOMPLETE = '.incomplete';

/** Checks if a folder is the remainder of an interrupted backup. */
export const isIncomplete = (name: string): boolean => name.endsWith(INCOMPLETE);

/** Returns the folder of the keys that belong to a folder of backups. */
export const keysFolderOf = (folder: string): string => `${folder.replace(/\/$/, '')}-keys`;

/** Writes a folder under another name until it is complete, and removes it if that fails. */
export async function writeComplete(folder: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = folder + INCOMPLETE;
  rmSync(draft, { recursive: true, force: true });
  try {
    await write(draft);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw describeFullDisk(error, folder);
  }
}

/** Returns the sentence for a full disk, or the error itself. */
export function describeFullDisk(error: unknown, folder: string): unknown {
  const { code, dest = folder } = error as NodeJS.ErrnoException & { dest?: string };
  if (code !== 'ENOSPC') return error;
  return new LaunchError(
    `The disk of ${dest} is full: free space or choose another folder, then repeat the command. Nothing was changed.`,
  );
}

/** Stores the description of a backup in its folder. */
export function writeDescription(folder: string, backup: Backup): void {
  writeFileSync(join(folder, DESCRIPTION), `${JSON.stringify(backup, null, 2)}\n`);
}

/** Returns the complete backups of a folder, oldest first. */
export function listBackups(folder: string): Backup[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder)
    .filter((name) => !isIncomplete(name))
    .map((name) => join(folder, name, DESCRIPTION));
  const backups = files.filter(existsSync).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Backup);
  return backups.toSorted((a, b) => a.finished_at.localeCompare(b.finished_at));
}
