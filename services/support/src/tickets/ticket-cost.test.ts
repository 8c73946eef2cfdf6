import { expect, test } from '@jest/globals';
import { openSupport } from '../../test/fixture.ts';
import { deskOf } from '../../test/promises.ts';

const { serving, office, violations } = await openSupport();
const opened = await office();
const desk = deskOf(opened.member({ name: 'Ann Agent' }));

/** How many statements some work takes, beside those that every transaction has. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = serving.database.statements;
  await work();
  return serving.database.statements - before;
}

test('a ticket is opened with its clocks and its history in one statement, after two that look things up', async () => {
  // The first one under a policy keeps what it promises.
  await desk.open();
  expect(await costOf(() => desk.open({ silent: true }))).toBe(3);
  // The choice whether to acknowledge it, and the mail.
  expect(await costOf(() => desk.open())).toBe(5);
  expect(await violations(opened)).toEqual([]);
});

test('a ticket is changed with its clocks and its history in one statement', async () => {
  const { id } = await desk.open();
  // Whether there is such a ticket, the lock, its clocks with their intervals and terms, the change; then the answer with thread, files, notes and history.
  expect(await costOf(() => desk.update(id, { status: 'open' }))).toBe(2 + 3 + 1 + 6);
  // Whether there is such a ticket, whose it is, the lock, the words and their mail, the clocks, the change.
  expect(await costOf(() => desk.reply(id))).toBe(3 + 2 + 3 + 1);
  expect(await violations(opened)).toEqual([]);
});
