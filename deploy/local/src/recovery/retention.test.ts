import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryDirectory } from '../fixtures/programs.ts';
import { archiveOf } from './archive.ts';
import { keysFolderOf, writeDescription } from './backup-folder.ts';
import { removeOldBackups } from './retention.ts';
import { findBackup, recordRestore, timelineAt } from './timelines.ts';

let place: ReturnType<typeof temporaryDirectory>;
let folder: string;
beforeEach(() => {
  place = temporaryDirectory();
  folder = join(place.path, 'backups');
  mkdirSync(archiveOf(folder), { recursive: true });
});
afterEach(() => place.remove());

const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const segment = (timeline: number, number: number) => `0000000${timeline}00000000000000${number}`;

/** Creates the backup of a day with its keys. Its first segment has the number of the day. */
function addBackup(timeline: number, number: number): void {
  const name = `backup-${number}`;
  mkdirSync(join(folder, name), { recursive: true });
  mkdirSync(join(keysFolderOf(folder), name), { recursive: true });
  writeDescription(join(folder, name), { name, finished_at: day(number), first_segment: segment(timeline, number) });
}

const archive = (...names: string[]) => {
  for (const name of names) writeFileSync(join(archiveOf(folder), name), '');
};
const backups = () => readdirSync(folder).filter((name) => name.startsWith('backup'));

describe('the removal of old backups', () => {
  test('leaves the backup that leads to the first day of the window', () => {
    for (const number of [10, 12, 14, 16]) addBackup(1, number);
    archive(segment(1, 11), segment(1, 12), `${segment(1, 11)}.00000028.backup`, segment(1, 13), '00000002.history');
    expect(removeOldBackups(folder, 3, new Date(day(16)))).toEqual({ backups: 1, segments: 2 });
    expect(backups()).toEqual(['backup-12', 'backup-14', 'backup-16']);
    expect(existsSync(join(keysFolderOf(folder), 'backup-10'))).toBe(false);
    expect(readdirSync(archiveOf(folder)).toSorted()).toEqual([segment(1, 12), segment(1, 13), '00000002.history']);
  });

  test('leaves the backup of a restore within the window', () => {
    for (const number of [10, 12, 14]) addBackup(1, number);
    recordRestore(folder, { timeline: 2, parent: 1, until: day(11), began_at: day(15) });
    archive(segment(1, 10), segment(2, 11), segment(1, 14));
    expect(removeOldBackups(folder, 3, new Date(day(17)))).toEqual({ backups: 1, segments: 0 });
    expect(backups()).toEqual(['backup-10', 'backup-14']);
  });

  test('removes the remains of interrupted backups', () => {
    addBackup(1, 10);
    mkdirSync(join(folder, 'backup-9.incomplete'));
    mkdirSync(join(keysFolderOf(folder), 'backup-9.incomplete'));
    removeOldBackups(folder, 14, new Date(day(10)));
    expect([backups(), readdirSync(keysFolderOf(folder))]).toEqual([['backup-10'], ['backup-10']]);
  });
});

describe('a time', () => {
  beforeEach(() => {
    for (const number of [10, 12, 14]) addBackup(1, number);
    recordRestore(folder, { timeline: 2, parent: 1, until: day(13), began_at: day(15) });
    addBackup(2, 17);
  });
  const nameAt = (number: number) => findBackup(folder, new Date(day(number)))?.name;

  test('belongs to the timeline of that time', () => {
    expect([11, 14, 15, 17].map((number) => timelineAt(folder, new Date(day(number))))).toEqual([1, 1, 2, 2]);
  });

  test('has the last backup that leads to it', () => {
    expect([9, 10, 14, 16, 17].map(nameAt)).toEqual([undefined, 'backup-10', 'backup-14', 'backup-12', 'backup-17']);
  });
});
