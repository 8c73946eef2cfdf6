import { expect, test } from '@jest/globals';
import { openSupport } from '../../../test/fixture.ts';
import { requestsOf } from '../../../test/sla-example.ts';

const { serving, office, violations } = await openSupport();
const opened = await office();
const requests = requestsOf(opened.member({ name: 'Ann Agent' }));

/** Returns the number of statements of some work, without the ones of every transaction. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = serving.database.statements;
  await work();
  return serving.database.statements - before;
}

test('creates a ticket with SLA timers and history in one statement after two reads', async () => {
  // The first ticket of a policy also stores the policy version.
  await requests.open();
  expect(await costOf(() => requests.open({ silent: true }))).toBe(3);
  // Two more: the acknowledgment setting, and the e-mail.
  expect(await costOf(() => requests.open())).toBe(5);
  expect(await violations(opened)).toEqual([]);
});

test('updates a ticket with SLA timers and history in one statement', async () => {
  const { id } = await requests.open();
  // Existence check, lock, SLA timers with intervals and terms, change. Then the response with thread, files, notes and
  // history.
  expect(await costOf(() => requests.update(id, { status: 'open' }))).toBe(2 + 3 + 1 + 6);
  // Existence check, requester, lock, reply and its e-mail, SLA timers, change.
  expect(await costOf(() => requests.reply(id))).toBe(3 + 2 + 3 + 1);
  expect(await violations(opened)).toEqual([]);
});
