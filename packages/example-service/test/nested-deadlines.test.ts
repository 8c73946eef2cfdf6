import { fault } from '@suite/chassis/faults';
import { can, ok, operations } from '@suite/chassis/operations';
import { type Clients, serveRpc } from '@suite/chassis/rpc';
import { service } from '@suite/chassis/service';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { z } from 'zod';
import type { Db } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

type Rpc = Clients<{ platform: typeof PlatformServiceDefinition }>;
const { query, command } = operations<Db, Rpc>({ module: 'crm' });
const Late = fault(504, 'platform_timeout', 'The platform service took too long.');
const Reply = ok(z.object({ users: z.int() }));

const look = query('GET /api/trial/users', {
  summary: 'Count the users of another service',
  access: can('trial'),
  reply: Reply,
  faults: [Late],
  prepare: async ({ rpc }) => (await rpc.platform.batchGetUsers({})).users.length,
  handle: async ({ prepared }) => ({ users: prepared }),
});
const act = command('POST /api/trial/users', {
  summary: 'Count the users of another service and record the number',
  access: can('trial'),
  reply: Reply,
  faults: [Late],
  prepare: async ({ rpc }) => (await rpc.platform.batchGetUsers({})).users.length,
  handle: async ({ prepared }) => ({ users: prepared }),
});

/** Waiting times of the callers of nested calls, in milliseconds. */
const waits_ms: number[] = [];
let answers = true;
type Methods = Parameters<typeof serveRpc<typeof PlatformServiceDefinition>>[1];
const batchGetUsers: Methods['batchGetUsers'] = async (_, { ends_at = Infinity }) => {
  waits_ms.push(ends_at - performance.now());
  // No answer: the nested call can end only by its deadline.
  if (!answers) await new Promise(() => undefined);
  return { users: [] };
};
const others = Object.keys(PlatformServiceDefinition.methods).map((name) => [name, async () => ({})]);
const methods = { ...Object.fromEntries(others), batchGetUsers } as Methods;
const platform = serveRpc(PlatformServiceDefinition, methods);
const trial = await start(
  service({ ...testServiceOf({ look, act }), calls: { platform: PlatformServiceDefinition } }),
  {
    fakes: { platform },
  },
);
const kim = trial.member({ can: ['trial'] });
const send = (method: 'GET' | 'POST', wait_ms: number) =>
  fetch(`${trial.url}/api/trial/users`, {
    method,
    headers: {
      authorization: `Bearer ${trial.gateway.sign(trial.name, kim.caller)}`,
      'x-deadline-ms': String(wait_ms),
    },
  });

test('a nested call of a query ends when the caller stops waiting', async () => {
  answers = false;
  const late = await send('GET', 400);
  expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([504, 'platform_timeout']);
  answers = true;
  expect((await send('GET', 5_000)).status).toBe(200);
  // The first of them may not even arrive on a busy machine.
  expect(waits_ms.length).toBeGreaterThan(0);
  expect(Math.max(...waits_ms)).toBeLessThanOrEqual(5_000);
});

test('a nested call of a command has a deadline of its own', async () => {
  waits_ms.length = 0;
  expect((await send('POST', 5_000)).status).toBe(200);
  expect(waits_ms[0]).toBeGreaterThan(5_000);
});
