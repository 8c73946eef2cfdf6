import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@suite/local/ports';
import S3rver from 's3rver';
import { temporaryDirectory } from '../../test/fixture.ts';
import { clock } from '../runtime/clock.ts';
import { openStorage, type Storage } from './storage.ts';

const directory = temporaryDirectory();
const port = await freePort();
const server = new S3rver({
  address: '127.0.0.1',
  port,
  silent: true,
  directory: join(directory, 'server'),
  configureBuckets: [{ name: 'files', configs: [] }],
});
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' });
const endpoint = `http://127.0.0.1:${port}`;
const bucket = (folder: string) => ({ bucket: 'files', folder, endpoint, region: 'eu-central-1' });

beforeAll(() => server.run());
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

const { now } = clock;
const later = () => new Date(now().getTime() + 3_600_000);
afterAll(() => {
  clock.now = now;
});

const scanned: string[] = [];
const scan = async (path: string) => void scanned.push(await readFile(path, 'utf8'));
const places: [string, () => Storage][] = [
  ['a folder', () => openStorage(join(directory, 'folder'), { scan })],
  ['a bucket', () => openStorage(join(directory, 'local'), { scan, s3: bucket('crm') })],
];

describe.each(places)('%s', (_, open) => {
  const storage = open();
  const workspace_id = randomUUID();
  const missing = `${workspace_id}/${randomUUID()}`;

  test('stores, reads, sends and deletes a file', async () => {
    const key = await storage.put(workspace_id, Buffer.from('content'));
    expect(Buffer.from(await storage.read(key)).toString()).toBe('content');
    const { stream, size } = await storage.open(key);
    expect([String(await buffer(stream)), size]).toEqual(['content', 7]);
    await storage.remove(key);
    await expect(storage.open(key)).rejects.toMatchObject({ status: 404 });
    await expect(storage.remove(key)).resolves.toBeUndefined();
  });

  test('takes a checked upload, and leaves no local file', async () => {
    const path = join(storage.incoming, 'upload');
    writeFileSync(path, 'x'.repeat(100_000));
    const key = `${workspace_id}/${randomUUID()}`;
    await storage.adopt(path, key);
    expect((await storage.read(key)).length).toBe(100_000);
    expect(readdirSync(storage.incoming)).toEqual([]);
    await storage.remove(key);
  });

  test('scans a stored file', async () => {
    const key = await storage.put(workspace_id, Buffer.from('scanned'));
    await storage.scanStored(key);
    expect(scanned.splice(0)).toEqual(['scanned']);
    expect(readdirSync(storage.incoming)).toEqual([]);
    await storage.remove(key);
  });

  test('lists the files of a workspace after some minutes', async () => {
    const other = randomUUID();
    const [one] = [await storage.put(workspace_id, Buffer.from('four')), await storage.put(other, Buffer.from('x'))];
    expect(await storage.settled(workspace_id)).toEqual([]);
    clock.now = later;
    expect(await storage.settled(workspace_id)).toEqual([{ key: one, size: 4 }]);
    clock.now = now;
    expect((await storage.workspaces()).toSorted()).toEqual([workspace_id, other].toSorted());
  });

  test('rejects keys that name something else', async () => {
    for (const key of ['../x', `${missing}/x`, 'x', ''])
      await expect(storage.open(key)).rejects.toMatchObject({ status: 404 });
  });
});

describe('a bucket of S3', () => {
  test('has a folder per service', async () => {
    const [crm, hr] = ['crm', 'hr'].map((folder) => openStorage(join(directory, folder), { s3: bucket(folder) }));
    const workspace_id = randomUUID();
    const key = await hr!.put(workspace_id, Buffer.from('x'));
    await expect(crm!.open(key)).rejects.toMatchObject({ status: 404 });
    expect(await crm!.workspaces()).not.toContain(workspace_id);
  });

  test('lists more files than one response contains', async () => {
    const workspace_id = randomUUID();
    const pages = createServer((request, response) => {
      const isSecond = request.url!.includes('continuation-token=second');
      const [name, more] = isSecond ? ['b', ''] : ['a', '<NextContinuationToken>second</NextContinuationToken>'];
      response.end(`<ListBucketResult><IsTruncated>${!isSecond}</IsTruncated>${more}<Contents><Size>1</Size>
        <Key>crm/${workspace_id}/${name}</Key><LastModified>2020-01-01T00:00:00.000Z</LastModified></Contents></ListBucketResult>`);
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    const storage = openStorage(join(directory, 'pages'), { s3: { ...bucket('crm'), endpoint: address } });
    const keys = (await storage.settled(workspace_id)).map(({ key }) => key);
    expect(keys).toEqual([`${workspace_id}/a`, `${workspace_id}/b`]);
    pages.closeAllConnections();
    pages.close();
  });

  test('causes a temporary fault if it does not respond', async () => {
    const unused = `http://127.0.0.1:${await freePort()}`;
    const storage = openStorage(join(directory, 'down'), { s3: { ...bucket('crm'), endpoint: unused } });
    const key = `${randomUUID()}/${randomUUID()}`;
    await expect(storage.put(randomUUID(), Buffer.from('x'))).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
    });
    await expect(storage.read(key)).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  });
});
