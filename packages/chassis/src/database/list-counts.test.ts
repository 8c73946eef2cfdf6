import { beforeEach, expect, jest, test } from '@jest/globals';
import { countsFor, forgetCounts } from './list-counts.ts';

const MANY = 1_000_000;
let database: object;
let now: number;
beforeEach(() => {
  database = {};
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

/** Requests a count like a transaction that begins now. */
const ask = () => countsFor(database, 'w').get<number>('how many');
const countAs = (found: Promise<number>) => countsFor(database, 'w').count('how many', () => found, Number);

test('caches a count for two seconds from the start of the transaction that made it', async () => {
  const counts = countsFor(database, 'w');
  now += 300;
  await counts.count('how many', () => Promise.resolve(MANY), Number);
  now += 1_100;
  expect(ask()).toBe(MANY);
  now += 200;
  expect(ask()).toBeUndefined();
});

test('uses the remembered count during a recount, but not for longer than two seconds', async () => {
  await countAs(Promise.resolve(MANY));
  now += 1_600;
  expect(ask()).toBeUndefined();
  const { promise, resolve } = Promise.withResolvers<number>();
  const anew = countAs(promise);
  expect(ask()).toBe(MANY);
  now += 500;
  expect(ask()).toBeUndefined();
  resolve(MANY + 1);
  expect(await anew).toBe(MANY + 1);
  // A count is as old as the transaction that counted.
  expect(ask()).toBe(MANY + 1);
});

test('caches no count after a commit in the workspace, nor for few rows', async () => {
  await countAs(Promise.resolve(MANY));
  forgetCounts(database, 'w');
  expect(ask()).toBeUndefined();
  await countAs(Promise.resolve(7));
  expect(ask()).toBeUndefined();
});
