import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { lockData } from '../data/data-directory.ts';
import { BackedUpSuite } from '../fixtures/backed-up-suite.ts';
import { archiveOf, assertOwnArchive, clusterIn, missingFile } from './archive.ts';
import { restore } from './restore.ts';

jest.setTimeout(240_000);
const suite = new BackedUpSuite();
const { data, folder, path } = suite;
beforeAll(() => suite.create());
afterAll(() => suite.remove());

const attempt = (until: Date) => restore({ data, folder, until });

describe('a restore that is not possible', () => {
  let present: string[][];
  beforeAll(() => {
    present = suite.folders();
  });
  const expectNoChange = () => expect(suite.folders()).toEqual(present);

  test('names the first possible time before the first backup', async () => {
    await expect(attempt(suite.before_backup)).rejects.toThrow(
      `The first backup is of ${suite.backup.finished_at}: choose that time`,
    );
    expectNoChange();
  });

  test('needs a folder with backups', async () => {
    const restoring = restore({ data, folder: join(path, 'nowhere'), until: suite.until });
    await expect(restoring).rejects.toThrow('contains no backup: set BACKUP_DIR to the folder of the backups.');
    expectNoChange();
  });

  test('is rejected while the suite runs', async () => {
    const lock = lockData(data);
    await expect(attempt(suite.until)).rejects.toThrow('A suite is running on');
    lock.release();
    expectNoChange();
  });

  test('names the end of the archive for a later time', async () => {
    await expect(attempt(new Date(suite.until.getTime() + 3_600_000))).rejects.toThrow(
      /^The archive ends at \d{4}-\d\d-\d\dT[\d:.]+Z, before \S+Z: choose an earlier time for --until\.$/,
    );
    expectNoChange();
  });

  test('names a missing or incomplete segment of the archive', async () => {
    const { first_segment } = suite.backup;
    const segments = readdirSync(archiveOf(folder)).filter(
      (name) => name >= first_segment && /^[\dA-F]{24}$/.test(name),
    );
    const lost = segments.toSorted()[1]!;
    const [from, to] = [join(archiveOf(folder), lost), join(path, lost)];
    renameSync(from, to);
    expect(missingFile(folder, first_segment, 1)).toBe(lost);
    await expect(attempt(suite.until)).rejects.toThrow(`The archive has a hole: copy ${lost} to`);
    writeFileSync(from, 'a part of the segment');
    await expect(attempt(suite.until)).rejects.toThrow(`The archive has a hole: copy ${lost} to`);
    renameSync(to, from);
    expect(missingFile(folder, first_segment, 1)).toBeUndefined();
    expectNoChange();
  });

  test('names the next step for backups of another suite or another PostgreSQL', async () => {
    const other = join(path, 'other');
    mkdirSync(join(other, 'postgres/data/global'), { recursive: true });
    writeFileSync(join(other, 'postgres/data/global/pg_control'), Buffer.alloc(8, 1));
    await expect(restore({ data: other, folder, until: suite.until })).rejects.toThrow(
      `The backups in ${folder} are not of the suite in ${other}: set BACKUP_DIR to its backups`,
    );
    expect(() => assertOwnArchive(folder, clusterIn(join(other, 'postgres/data')))).toThrow(
      `${folder} contains the archive of other databases: set BACKUP_DIR to an empty folder.`,
    );
    const file = join(suite.backup.folder, 'databases/PG_VERSION');
    const version = readFileSync(file, 'utf8');
    writeFileSync(file, '14\n');
    await expect(attempt(suite.until)).rejects.toThrow(
      `The backup ${suite.backup.name} is of PostgreSQL 14, but this release has PostgreSQL`,
    );
    writeFileSync(file, version);
    expectNoChange();
  });

  test('needs the keys of a lost suite', async () => {
    const { keys_folder } = suite.backup;
    renameSync(keys_folder, `${keys_folder}.moved`);
    await expect(restore({ data: join(path, 'new'), folder, until: suite.until })).rejects.toThrow(
      `The keys are missing: copy the folder ${keys_folder}`,
    );
    renameSync(`${keys_folder}.moved`, keys_folder);
  });
});
