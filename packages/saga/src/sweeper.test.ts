import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { start, freezeClock } from '@suite/testing';
import { SHIPMENTS, shipping, fakeInventory, openSweeper } from '../test/shipping.ts';

const inventory = fakeInventory();
const serving = await start(shipping, { fakes: { inventory: inventory.served } });
await serving.admin.query(SHIPMENTS);
const { find, sweep, close } = openSweeper(serving);
afterAll(() => close());

/** Ships a note in its own workspace and reverses that, which leaves an attempt for the sweeper to undo. */
async function takenBack() {
  const kim = serving.member({ can: ['trial'] });
  const [id, workspace_id] = [randomUUID(), kim.caller.workspace_id];
  await serving.sql`INSERT INTO notes (id, workspace_id, title) VALUES (${id}, ${workspace_id}, ${id})`;
  expect((await kim.post(`/api/trial/${id}/ship`)).status).toBe(200);
  expect((await kim.post(`/api/trial/${id}/take-back`)).status).toBe(200);
  return { key: `ship:${id}:1`, workspace_id };
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
