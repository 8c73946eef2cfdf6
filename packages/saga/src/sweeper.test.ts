import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { start, freezeClock } from '@suite/testing';
import { SHIPMENTS, shipping, fakeInventory, openSweeper } from '../test/shipping.ts';

const inventory = fakeInventory();
const serving = await start(shipping, { fakes: { inventory: inventory.served } });
await serving.admin.query(SHIPMENTS);
const { find, sweep, repair, close } = openSweeper(serving);
afterAll(() => close());

/** Ships a note in its own workspace. @param given.lost true if the other service loses the shipment */
async function shipped({ lost = false } = {}) {
  const kim = serving.member({ can: ['trial'] });
  const [id, workspace_id] = [randomUUID(), kim.caller.workspace_id];
  await serving.sql`INSERT INTO notes (id, workspace_id, title) VALUES (${id}, ${workspace_id}, ${id})`;
  expect((await kim.post(`/api/trial/${id}/ship`)).status).toBe(200);
  const key = `ship:${id}:1`;
  if (lost) inventory.out.delete(key);
  return { key, workspace_id, takeBack: () => kim.post(`/api/trial/${id}/take-back`) };
}

/** Ships a note and reverses that, which leaves an attempt for the sweeper to undo. */
async function takenBack() {
  const { takeBack, ...shipment } = await shipped();
  expect((await takeBack()).status).toBe(200);
  return shipment;
}
const isOut = ({ key }: { key: string }) => inventory.out.has(key);
const timesAsked = ({ key }: { key: string }) =>
  inventory.asked.filter((line) => line === `return goods ${key}`).length;
const postponed = ({ workspace_id }: { workspace_id: string }) =>
  serving.sql`SELECT schedule, attempts FROM postponed_work WHERE workspace_id = ${workspace_id}`;

test('a failing attempt is retried less and less often, and delays no other', async () => {
  const began = Date.parse('2090-01-01T08:00:00Z');
  const clock = freezeClock(new Date(began).toISOString());
  const at = (seconds: number) => clock.goTo(new Date(began + seconds * 1_000).toISOString());
  const broken = await takenBack();
  inventory.poisoned.add(broken.key);
  const asked: number[] = [];
  for (let second = 0; second <= 300; second += 5) {
    at(second);
    const before = timesAsked(broken);
    await sweep();
    if (timesAsked(broken) > before) asked.push(second);
  }
  expect(asked).toEqual([0, 5, 10, 25, 55, 115, 175, 235, 295]);
  expect(await postponed(broken)).toEqual([{ schedule: 'notebook.return-goods', attempts: 9 }]);
  const sound = await takenBack();
  await sweep();
  expect([isOut(broken), isOut(sound)]).toEqual([true, false]);
  inventory.poisoned.clear();
  at(354);
  await sweep();
  expect(isOut(broken)).toBe(true);
  at(355);
  await sweep();
  expect([isOut(broken), await postponed(broken)]).toEqual([false, []]);
});

test('more failing attempts than one run processes do not block other attempts', async () => {
  freezeClock('2090-02-01T08:00:00Z');
  const broken = [];
  for (let count = 0; count < 60; count += 1) broken.push(await takenBack());
  for (const { key } of broken) inventory.poisoned.add(key);
  for (let turn = 0; turn < 4; turn += 1) await sweep();
  const sound = await takenBack();
  expect(await find()).toHaveLength(1);
  await sweep();
  expect(isOut(sound)).toBe(false);
  expect(Math.max(...broken.map(timesAsked))).toBe(2);
});

describe('a repair after a restore', () => {
  const request = (action: string, { key, workspace_id }: { key: string; workspace_id: string }) =>
    serving.sql`INSERT INTO step_repairs (workspace_id, step, key, action, attempt, columns, asked_by)
      VALUES (${workspace_id}, 'notebook.ship-goods', ${key}, ${action}, 1,
        ${{ note_id: key.split(':')[1], label: 'goods' }}, ${randomUUID()})`;
  const isOpen = async ({ workspace_id }: { workspace_id: string }) =>
    (await serving.sql`SELECT action FROM step_repairs WHERE workspace_id = ${workspace_id}`).length > 0;

  test('makes the request again under the same key', async () => {
    freezeClock('2090-03-01T08:00:00Z');
    const shipment = await shipped({ lost: true });
    await request('repeat', shipment);
    await repair();
    expect([isOut(shipment), await isOpen(shipment)]).toEqual([true, false]);
    expect(timesAsked(shipment)).toBe(0);
  });

  test('undoes an attempt that this service does not know', async () => {
    freezeClock('2090-03-01T09:00:00Z');
    const shipment = await shipped();
    await serving.sql`DELETE FROM shipments WHERE workspace_id = ${shipment.workspace_id}`;
    await request('undo', shipment);
    await repair();
    expect([isOut(shipment), await isOpen(shipment)]).toEqual([false, false]);
  });

  test('is retried after a failure, with the reason for the operator', async () => {
    const clock = freezeClock('2090-03-01T10:00:00Z');
    const shipment = await shipped({ lost: true });
    inventory.poisoned.add(shipment.key);
    await request('repeat', shipment);
    await repair();
    await repair();
    expect([isOut(shipment), await isOpen(shipment)]).toEqual([false, true]);
    expect(await serving.sql`SELECT reason FROM postponed_work WHERE workspace_id = ${shipment.workspace_id}`).toEqual([
      { reason: 'Something went wrong.' },
    ]);
    inventory.poisoned.clear();
    clock.goTo('2090-03-01T10:01:00Z');
    await repair();
    expect([isOut(shipment), await isOpen(shipment)]).toEqual([true, false]);
  });

  test('does not undo an attempt that has become official since the request', async () => {
    freezeClock('2090-03-01T11:00:00Z');
    const shipment = await shipped();
    await request('undo', shipment);
    await repair();
    expect([isOut(shipment), await isOpen(shipment), timesAsked(shipment)]).toEqual([true, false, 0]);
  });

  test('does not repeat an attempt that has been reversed since the request', async () => {
    freezeClock('2090-03-01T12:00:00Z');
    inventory.poisoned.clear();
    const shipment = await takenBack();
    while ((await find()).length > 0) await sweep();
    const before = inventory.asked.length;
    await request('repeat', shipment);
    await repair();
    expect([isOut(shipment), await isOpen(shipment), inventory.asked.length]).toEqual([false, false, before]);
  });

  test('ends if the other service has undone the attempt', async () => {
    freezeClock('2090-03-01T13:00:00Z');
    const shipment = await shipped({ lost: true });
    inventory.spent.add(shipment.key);
    await request('repeat', shipment);
    await repair();
    expect([isOut(shipment), await isOpen(shipment)]).toEqual([false, false]);
  });
});
