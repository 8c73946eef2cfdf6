import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { BackedUpSuite } from '../fixtures/backed-up-suite.ts';
import { freePort } from '../ports.ts';
import { startPostgres } from '../servers/servers.ts';
import { archiveOf, assertOwnArchive, clusterIn } from './archive.ts';
import { writeComplete } from './backup-folder.ts';
import { backUp } from './backup.ts';
import { undoInterruptedRestore } from './replacement.ts';
import { restore } from './restore.ts';

jest.setTimeout(240_000);
const suite = new BackedUpSuite();
const { data, folder, path } = suite;
beforeAll(() => suite.create());
afterAll(() => suite.remove());

const attempt = (until: Date) => restore({ data, folder, until });

/** Removes the history and then the first segment of the second timeline, and expects a restore to name each. */
async function expectHoleOnLaterTimeline(target: Date): Promise<void> {
  const names = readdirSync(archiveOf(folder)).filter((name) => /^00000002[\dA-F]{16}$/.test(name));
  for (const lost of ['00000002.history', names.toSorted()[0]!]) {
    const [from, to] = [join(archiveOf(folder), lost), join(path, lost)];
    renameSync(from, to);
    await expect(attempt(target)).rejects.toThrow(`The archive has a hole: copy ${lost} to`);
    renameSync(to, from);
  }
}

describe('a backup', () => {
  test('contains databases and files, and the keys in another folder', () => {
    const { backup } = suite;
    expect(readdirSync(backup.folder).toSorted()).toEqual(['backup.json', 'databases', 'files']);
    expect(dirname(backup.folder)).toBe(folder);
    expect(existsSync(join(backup.folder, 'databases/postmaster.pid'))).toBe(false);
    expect(backup.keys_folder.startsWith(`${folder}-keys/`)).toBe(true);
    expect(readFileSync(join(backup.keys_folder, 'keys/crm/private.pem'), 'utf8')).toBe('a key');
  });

  test('needs a running suite that archives', async () => {
    await expect(backUp(data, 14)).rejects.toThrow(`No suite is running on ${data}: start it with BACKUP_DIR=`);
    await expect(backUp(path, 14)).rejects.toThrow(`${path} contains no databases: choose another folder with --data`);
    const directory = join(path, 'plain/postgres');
    const plain = await startPostgres({ directory, port: await freePort(), fast: true });
    await expect(backUp(dirname(directory), 14)).rejects.toThrow(
      'This suite archives nothing: stop it, and start it with',
    );
    await plain.stop();
  });

  test('leaves nothing behind on a full disk', async () => {
    const target = join(path, 'full');
    const writing = writeComplete(target, async (draft) => {
      mkdirSync(draft);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    await expect(writing).rejects.toThrow(`The disk of ${target} is full: free space or choose another folder`);
    expect(readdirSync(path).filter((name) => name.startsWith('full'))).toEqual([]);
  });
});

describe('a restored suite', () => {
  test('has all databases at one point in time, in a new epoch, with an empty bus', async () => {
    const restored = await attempt(suite.until);
    await suite.start();
    expect(await suite.lastNumbers()).toEqual([5, 5]);
    expect(existsSync(join(data, 'nats'))).toBe(false);
    expect(readFileSync(join(data, 'files/attached'), 'utf8')).toBe('a file');
    for (const name of ['platform', 'finance'])
      expect(await suite.query(name, 'SELECT epoch::int FROM journal_relay')).toEqual([{ epoch: restored.epoch }]);
    expect(restored).toMatchObject({ files: 1, sessions: 1, api_keys: 1, is_incomplete: false });
    expect(restored.numbers).toEqual([
      { service: 'finance', workspace_id: suite.workspace_id, type: 'invoice', year: 2026, first: 6, last: 9 },
    ]);
    const open =
      'SELECT FROM sessions WHERE revoked_at IS NULL UNION ALL SELECT FROM api_keys WHERE revoked_at IS NULL';
    expect(await suite.query('platform', open)).toEqual([]);
    const ends = await suite.query('platform', 'SELECT revoked_reason FROM sessions');
    expect(ends).toEqual([{ revoked_reason: 'restored' }]);
  });

  test('returns to a time before or after an earlier restore, without a new backup', async () => {
    await suite.setLastNumber(6);
    const continued = await suite.readTime();
    await suite.setLastNumber(7);
    await suite.stop();
    await attempt(suite.later);
    await suite.start();
    expect(await suite.lastNumbers()).toEqual([9, 9]);
    await suite.stop();
    await expectHoleOnLaterTimeline(continued);
    await attempt(continued);
    await suite.start();
    expect(await suite.lastNumbers()).toEqual([6, 6]);
  });

  test('continues its own archive', () => {
    expect(() => assertOwnArchive(folder, clusterIn(join(data, 'postgres/data')))).not.toThrow();
  });

  test('returns its databases to their place after an interrupted restore', async () => {
    await suite.stop();
    mkdirSync(join(data, 'restore.incomplete'));
    renameSync(join(data, 'postgres/data'), join(data, 'postgres/data.before-9999999999'));
    undoInterruptedRestore(data);
    await suite.start();
    expect(await suite.lastNumbers()).toEqual([6, 6]);
    expect(existsSync(join(data, 'restore.incomplete'))).toBe(false);
  });

  test('can be backed up and restored again, on another machine too', async () => {
    const again = await backUp(data, 14);
    await suite.setLastNumber(11);
    const target = await suite.readTime();
    await suite.setLastNumber(12);
    await suite.stop();
    rmSync(data, { recursive: true });
    const restored = await attempt(target);
    await suite.start();
    expect(await suite.lastNumbers()).toEqual([11, 11]);
    expect(restored).toMatchObject({ backup: { name: again.name }, earlier_databases: null, is_incomplete: true });
    expect(readFileSync(join(data, 'keys/crm/private.pem'), 'utf8')).toBe('a key');
    await suite.stop();
  });
});
