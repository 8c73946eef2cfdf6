import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { midwayWork, SHIPMENTS, shipping, fakeInventory, openSweeper } from '../test/shipping.ts';

const inventory = fakeInventory();
const fakes = { inventory: inventory.served };
const serving = await start(shipping, { fakes });
await serving.admin.query(SHIPMENTS);
const replica = await start(shipping, { fakes, replicaOf: serving });
const { find, sweep, close } = openSweeper(serving);
const other = openSweeper(replica);
afterAll(() => {
  close();
  other.close();
});

const kim = serving.member({ can: ['trial'] });
const beside = replica.member({ ...kim.caller, workspace: kim.caller.workspace_id, can: ['trial'] });
let id: string;
beforeEach(async () => {
  id = randomUUID();
  await serving.sql`INSERT INTO notes (id, workspace_id, title) VALUES (${id}, ${kim.caller.workspace_id}, ${id})`;
  for (const list of [inventory.trouble, inventory.asked, inventory.callers, midwayWork]) list.length = 0;
});
const ship = (options = {}) => kim.post(`/api/trial/${id}/ship`, {}, options);
const show = async () => (await kim.get(`/api/trial/${id}`)).body.data;
const states = async (): Promise<string[]> =>
  (await serving.sql`SELECT state FROM shipments WHERE note_id = ${id} ORDER BY attempt`).map(({ state }) => state);
const key = (attempt: number | 'dry_run') => `ship:${id}:${attempt}`;
const isOut = (attempt: number) => inventory.out.has(key(attempt));
const open = { status: 'open', position: 0 };
const shipped = { status: 'shipped', position: 7, pending_effects: [] };
/** Fails the work and rolls its transaction back, like a crash of the process. */
const die = () => Promise.reject(new Error('The process died.'));
/** Ships, and the process dies after the other service has answered and before anything is committed here. */
async function dying() {
  midwayWork.push(die);
  expect((await ship()).status).toBe(500);
}

/** Creates an attempt of a process that crashed a minute ago. */
async function abandoned() {
  const clock = freezeClock('2026-11-21T10:00:00Z');
  await dying();
  clock.goTo('2026-11-21T10:01:00Z');
}
/** Creates an attempt that is to be undone. */
async function takenBack() {
  await ship();
  return await kim.post(`/api/trial/${id}/take-back`);
}

test('records a step before the request, and completes it with its command', async () => {
  let recorded: string[] = [];
  const before = async () => {
    recorded = await states();
  };
  inventory.trouble.push({ before });
  expect(await ship()).toMatchObject({ status: 200, body: { data: shipped } });
  expect([recorded, await states()]).toEqual([['asked'], ['shipped']]);
  expect(inventory.asked).toEqual([`issue ${key(1)}`]);
  expect(await ship()).toMatchObject({ status: 200, body: { data: shipped } });
  expect(inventory.asked).toHaveLength(1);
});

describe('a process that crashes between the remote call and its commit', () => {
  test('leaves a visible attempt that a retry completes under the same key', async () => {
    await dying();
    expect([await states(), isOut(1)]).toEqual([['asked'], true]);
    expect(await show()).toEqual({ ...open, pending_effects: ['ship goods'] });
    expect(await ship()).toMatchObject({ status: 200, body: { data: shipped } });
    expect([await states(), inventory.asked]).toEqual([['shipped'], [`issue ${key(1)}`, `issue ${key(1)}`]]);
  });

  test('leaves an attempt that the sweeper undoes for its user after 15 seconds', async () => {
    const clock = freezeClock('2026-11-21T10:00:00Z');
    await dying();
    clock.goTo('2026-11-21T10:00:14Z');
    await sweep();
    expect(await states()).toEqual(['asked']);
    clock.goTo('2026-11-21T10:00:16Z');
    await sweep();
    expect([await states(), isOut(1)]).toEqual([['returned'], false]);
    expect(inventory.asked.at(-1)).toBe(`return goods ${key(1)}`);
    expect(inventory.callers.at(-1)?.user_id).toBe(kim.caller.user_id);
    expect(await ship()).toMatchObject({ status: 200, body: { data: shipped } });
    expect([await states(), isOut(2)]).toEqual([['returned', 'shipped'], true]);
  });
});

describe('a rejection by the other service', () => {
  test('is returned and undone immediately, and the command can be repeated', async () => {
    inventory.trouble.push('refused');
    expect(await ship()).toMatchObject({ status: 409, body: { code: 'not_in_stock', details: {} } });
    expect([await states(), await show()]).toEqual([['returned'], { ...open, pending_effects: [] }]);
    expect(inventory.asked).toEqual([`issue ${key(1)}`, `return goods ${key(1)}`]);
    expect(await ship()).toMatchObject({ status: 200, body: { data: shipped } });
    expect(await states()).toEqual(['returned', 'shipped']);
  });

  test('is returned even if undoing fails, and blocks new attempts until undone', async () => {
    inventory.trouble.push('refused', 'down');
    expect(await ship()).toMatchObject({ status: 409, body: { code: 'not_in_stock' } });
    expect(await show()).toEqual({ ...open, pending_effects: ['return goods'] });
    expect(await ship()).toMatchObject({ status: 409, body: { code: 'shipment_pending' } });
    inventory.trouble.push('down');
    await sweep();
    expect(await states()).toEqual(['returning']);
    await sweep();
    expect(await states()).toEqual(['returned']);
  });

  test('is not assumed if the other service is down', async () => {
    inventory.trouble.push('down');
    expect((await ship()).status).toBe(503);
    expect([await states(), inventory.asked]).toEqual([['asked'], [`issue ${key(1)}`]]);
  });
});

describe('a lost response', () => {
  test('is requested again with the same key, and changes are blocked until it arrives', async () => {
    inventory.trouble.push('lost');
    expect((await ship()).status).toBe(503);
    expect(await show()).toEqual({ ...open, pending_effects: ['ship goods'] });
    expect(await kim.post(`/api/trial/${id}/change`)).toMatchObject({
      status: 409,
      body: { code: 'shipment_pending' },
    });
    expect(await ship()).toMatchObject({ status: 200, body: { data: shipped } });
    expect([await states(), inventory.asked]).toEqual([['shipped'], [`issue ${key(1)}`, `issue ${key(1)}`]]);
  });

  test('is requested again before it is undone, and the attempt keeps its start time', async () => {
    const since = () => serving.sql`SELECT since FROM shipments WHERE note_id = ${id}`;
    await takenBack();
    const before = await since();
    const clock = freezeClock(new Date().toISOString());
    inventory.trouble.push('lost', 'down');
    await sweep();
    await sweep();
    expect([await states(), await since()]).toEqual([['returning'], before]);
    clock.goTo(new Date(Date.now() + 10_000).toISOString());
    await sweep();
    expect([await states(), isOut(1)]).toEqual([['returned'], false]);
  });
});

describe('two concurrent sweepers', () => {
  test('undo an attempt once', async () => {
    await abandoned();
    const [here, there] = [await find(), await other.find()];
    await Promise.all([sweep(here), other.sweep(there), sweep(here), other.sweep(there)]);
    expect([await states(), isOut(1)]).toEqual([['returned'], false]);
    expect(inventory.asked.filter((line) => line.startsWith('return'))).toEqual([`return goods ${key(1)}`]);
  });

  test('undo nothing more after the attempt that both found is undone', async () => {
    await takenBack();
    const [here, there] = [await find(), await other.find()];
    await Promise.all([sweep(here), other.sweep(there)]);
    await sweep(here);
    expect([await states(), isOut(1)]).toEqual([['returned'], false]);
    expect(await ship()).toMatchObject({ status: 200, body: { data: shipped } });
    const asked = inventory.asked.length;
    await sweep(there);
    expect(inventory.asked).toHaveLength(asked);
    expect([await states(), isOut(2)]).toEqual([['returned', 'shipped'], true]);
  });

  test('leave an attempt alone that was completed after they found it', async () => {
    await abandoned();
    const found = await find();
    expect(await ship()).toMatchObject({ status: 200 });
    await Promise.all([sweep(found), other.sweep(found)]);
    expect([await states(), isOut(1)]).toEqual([['shipped'], true]);
  });

  test('undo an attempt once if the second begins while the first is still working', async () => {
    await takenBack();
    inventory.trouble.push({ before: () => other.sweep() });
    await sweep();
    expect([await states(), isOut(1)]).toEqual([['returned'], false]);
    expect(inventory.asked.filter((line) => line.startsWith('return'))).toEqual([`return goods ${key(1)}`]);
  });

  test('leave nothing completed if the command runs while one of them is still working', async () => {
    await abandoned();
    const meanwhile = async () => {
      inventory.trouble.push('sold');
      await other.sweep();
      await ship();
    };
    inventory.trouble.push({ before: meanwhile });
    await sweep();
    expect([await states(), isOut(1)]).toEqual([['returned'], false]);
  });

  test('finish an attempt that the other has not finished within 15 seconds', async () => {
    const clock = freezeClock('2026-11-21T10:00:00Z');
    await takenBack();
    const meanwhile = async () => {
      clock.goTo('2026-11-21T10:00:16Z');
      await other.sweep();
      expect(await states()).toEqual(['returned']);
    };
    inventory.trouble.push({ before: meanwhile });
    await sweep();
    expect([await states(), isOut(1)]).toEqual([['returned'], false]);
  });
});

describe('a retry', () => {
  test('gets the first response for the same Idempotency-Key, without a remote call', async () => {
    const once = { headers: { 'idempotency-key': randomUUID() } };
    const first = await ship(once);
    const again = await ship(once);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(inventory.asked).toEqual([`issue ${key(1)}`]);
  });

  test('continues the same attempt with the same Idempotency-Key after a crash', async () => {
    const once = { headers: { 'idempotency-key': randomUUID() } };
    midwayWork.push(die);
    expect((await ship(once)).status).toBe(500);
    expect(await ship(once)).toMatchObject({ status: 200, body: { data: shipped } });
    expect([await states(), new Set(inventory.asked)]).toEqual([['shipped'], new Set([`issue ${key(1)}`])]);
  });

  test('shares one attempt among twenty concurrent calls over two replicas', async () => {
    const replies = await runConcurrently(20, (at) => (at % 2 ? kim : beside).post(`/api/trial/${id}/ship`));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect([await states(), new Set(inventory.asked)]).toEqual([['shipped'], new Set([`issue ${key(1)}`])]);
  });

  test.each(['before', 'after'])('is postponed if its attempt is given up %s the remote work', async (when) => {
    const clock = freezeClock('2026-11-21T10:00:00Z');
    const giveUp = async () => {
      clock.goTo('2026-11-21T10:01:00Z');
      await sweep();
    };
    inventory.trouble.push({ [when]: giveUp });
    expect(await ship()).toMatchObject({ status: 409, body: { code: 'shipment_pending' } });
    expect([await states(), isOut(1), (await show()).status]).toEqual([['returned'], false, 'open']);
  });
});

describe('a dry run', () => {
  test('returns the outcome and changes nothing', async () => {
    expect(await kim.post(`/api/trial/${id}/ship?dry_run=true`)).toMatchObject({
      status: 200,
      body: { data: shipped },
    });
    expect(inventory.asked).toEqual([`dry_run ${key('dry_run')}`]);
    expect([await states(), inventory.out.has(key('dry_run'))]).toEqual([[], false]);
    expect(await show()).toEqual({ ...open, pending_effects: [] });
  });

  test('is rejected like the command itself', async () => {
    inventory.trouble.push('refused');
    expect(await kim.post(`/api/trial/${id}/ship?dry_run=true`)).toMatchObject({ body: { code: 'not_in_stock' } });
    expect([await states(), inventory.asked]).toEqual([[], [`dry_run ${key('dry_run')}`]]);
  });
});

test('the sweeper undoes a reversed command, which is shown until then', async () => {
  const reply = await takenBack();
  expect(reply.body.data).toEqual({ ...open, pending_effects: ['return goods'] });
  await sweep();
  expect([await states(), isOut(1), (await show()).pending_effects]).toEqual([['returned'], false, []]);
});

test('an irreversible effect stays requested until the command is repeated', async () => {
  await abandoned();
  inventory.trouble.push('sold');
  await sweep();
  expect([await states(), isOut(1)]).toEqual([['asked'], true]);
  expect(await ship()).toMatchObject({ status: 200, body: { data: shipped } });
  expect([await states(), isOut(1)]).toEqual([['shipped'], true]);
});
