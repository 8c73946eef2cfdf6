/** Removal of backups and segments that no restore needs. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { archiveOf, filesBefore } from './archive.ts';
import { isIncomplete, keysFolderOf, listBackups } from './backup-folder.ts';
import { findBackup, listRestores } from './timelines.ts';

const DAY_MS = 86_400_000;

/** Removed files. */
export interface Removal {
  backups: number;
  segments: number;
}

/**
 * Removes the backups and archived segments that are not needed to restore the last days, and the remains of interrupted
 * backups. No other backup may run.
 */
export function removeOldBackups(folder: string, days: number, now: Date): Removal {
  const first_time = new Date(now.getTime() - days * DAY_MS);
  const backups = listBackups(folder);
  // Within the window, each timeline needs a backup that leads to its first time.
  const began = listRestores(folder).map(({ began_at }) => new Date(began_at));
  const firsts = [first_time, ...began.filter((time) => time >= first_time)].map(
    (time) => findBackup(folder, time)?.name,
  );
  const isNeeded = ({ name, finished_at }: { name: string; finished_at: string }) =>
    firsts.includes(name) || Date.parse(finished_at) > first_time.getTime();
  const [needed, old] = [backups.filter(isNeeded), backups.filter((backup) => !isNeeded(backup))];
  for (const { name } of old) {
    rmSync(join(folder, name), { recursive: true, force: true });
    rmSync(join(keysFolderOf(folder), name), { recursive: true, force: true });
  }
  for (const place of [folder, keysFolderOf(folder)])
    for (const name of readdirSync(place).filter(isIncomplete))
      rmSync(join(place, name), { recursive: true, force: true });
  const [oldest] = needed
    .map(({ first_segment }) => first_segment)
    .toSorted((a, b) => a.slice(8).localeCompare(b.slice(8)));
  const segments = oldest === undefined ? [] : filesBefore(folder, oldest);
  for (const name of segments) rmSync(join(archiveOf(folder), name), { force: true });
  return { backups: old.length, segments: segments.length };
}
