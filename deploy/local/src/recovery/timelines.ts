/**
 * Timelines: each restore begins a timeline for the further work of the suite. A time belongs to the timeline that the suite
 * used at that time, so a restore to too early a time can be corrected by a second one.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Backup, listBackups } from './backup-folder.ts';

/** A completed restore. */
export interface RestoreRecord {
  /** The timeline that the restore began. */
  timeline: number;
  /** The timeline of the restored time. */
  parent: number;
  /** The time that the suite returned to. ISO 8601. */
  until: string;
  /** The time of the restore. ISO 8601. */
  began_at: string;
}

/** A part of the past of a time: a timeline, and the last time that belongs to it. */
interface Branch {
  timeline: number;
  end: number;
}

const RECORDS = 'restores.json';

/** Returns the timeline of a segment of the write-ahead log. */
export const timelineOf = (segment: string): number => Number.parseInt(segment.slice(0, 8), 16);

/** Returns the restores with the backups of a folder, oldest first. */
export function listRestores(folder: string): RestoreRecord[] {
  const file = join(folder, RECORDS);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RestoreRecord[]) : [];
}

/** Adds a restore to the list in a folder of backups. */
export function recordRestore(folder: string, restored: RestoreRecord): void {
  const file = join(folder, RECORDS);
  writeFileSync(`${file}.new`, `${JSON.stringify([...listRestores(folder), restored], null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** Returns the timeline of a time and the ones before it, newest first. */
function branchesTo(folder: string, time: number): Branch[] {
  const records = listRestores(folder);
  const first = records[0]?.parent ?? timelineOf(listBackups(folder)[0]?.first_segment ?? '00000001');
  let branch = {
    timeline: records.findLast(({ began_at }) => Date.parse(began_at) <= time)?.timeline ?? first,
    end: time,
  };
  const branches = [branch];
  let record: RestoreRecord | undefined;
  while ((record = records.find(({ timeline }) => timeline === branch.timeline))) {
    branch = { timeline: record.parent, end: Date.parse(record.until) };
    branches.push(branch);
  }
  return branches;
}

/** Returns the timeline of a time. */
export const timelineAt = (folder: string, time: Date): number => branchesTo(folder, time.getTime())[0]!.timeline;

/** Returns the last backup that leads to a time, if any. */
export function findBackup(folder: string, time: Date): Backup | undefined {
  const branches = branchesTo(folder, time.getTime());
  return listBackups(folder).findLast(({ finished_at, first_segment }) =>
    branches.some(
      ({ timeline, end }) =>
        timeline === timelineOf(first_segment) && Date.parse(finished_at) <= Math.min(end, time.getTime()),
    ),
  );
}
