import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectRpc } from '@suite/chassis/testing';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { keysOf, start, runConcurrently } from '@suite/testing';
import { openWorkspace, type TestWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';
import { reportOwnStorage } from './report-storage.ts';

// Started without schedules: the tests run the report themselves.
const platform = await start({ ...contents, schedules: [] });
const MB = 1024 * 1024;
let acme: TestWorkspace;

const report = (service: string, bytes: number, workspace_id = acme.id) => {
  const address = `127.0.0.1:${platform.grpc_port}`;
  const services = { platform: { definition: PlatformServiceDefinition, address } };
  const rpc = connectRpc(services, keysOf(service)).as(null, randomUUID()).platform;
  return rpc.reportStorage({ workspace_id, bytes: String(bytes) });
};
const used = async (workspace = acme) =>
  (await (await workspace.as('owner')).get('/api/subscription')).body.data.usage.storage_mb;

beforeEach(async () => {
  acme = await openWorkspace(platform);
  await platform.sql`UPDATE plans SET storage_limit_mb = 50 WHERE code = (SELECT plan_code FROM workspaces WHERE id = ${acme.id})`;
});

describe('a storage report', () => {
  test('replaces earlier reports, adds up, and returns the usage of the other services', async () => {
    expect(await report('crm', 3 * MB)).toEqual({ elsewhere_bytes: '0', allowed_mb: 50 });
    expect(await report('hr', MB)).toEqual({ elsewhere_bytes: String(3 * MB), allowed_mb: 50 });
    expect(await used()).toBe(4);
    expect(await report('crm', 1)).toEqual({ elsewhere_bytes: String(MB), allowed_mb: 50 });
    expect(await used()).toBe(2);
    await runConcurrently(20, (at) => report('projects', at));
    expect(await used()).toBe(2);
    expect(await used(await openWorkspace(platform))).toBe(0);
  });

  test('returns no usage for an unknown workspace, and no allowance without a plan', async () => {
    expect(await report('crm', MB, randomUUID())).toEqual({ elsewhere_bytes: '0', allowed_mb: 0 });
    expect(await platform.sql`SELECT FROM storage_uses WHERE bytes = ${MB} AND service = 'crm'`).toEqual([]);
    await expect(report('crm', -1)).rejects.toMatchObject({ status: 422 });
    await platform.sql`UPDATE workspaces SET trial_ends_at = now() - interval '1 day' WHERE id = ${acme.id}`;
    await platform.sql`UPDATE entitlements SET plan_code = NULL WHERE workspace_id = ${acme.id}`;
    expect(await report('crm', MB)).toEqual({ elsewhere_bytes: '0', allowed_mb: 0 });
  });

  test('includes the images of platform itself', async () => {
    await platform.sql`INSERT INTO storage_use (workspace_id, bytes) VALUES (${acme.id}, ${2 * MB})`;
    await report('crm', MB);
    await reportOwnStorage.work(platform.tools as never);
    expect(await used()).toBe(3);
    const [row] =
      await platform.sql`SELECT elsewhere_bytes::int, allowed_mb FROM storage_use WHERE workspace_id = ${acme.id}`;
    expect(row).toEqual({ elsewhere_bytes: MB, allowed_mb: 50 });
  });
});
