import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { fault } from '@suite/chassis/faults';
import { openWorkers } from './workers.ts';

const Exceeded = fault(422, 'exceeded', 'This input exceeds a limit.');
const module = new URL('../test/functions.ts', import.meta.url);
const open = (options: object = {}) =>
  openWorkers<typeof import('../test/functions.ts')>(module, {
    refuse: (limit) => Exceeded({ limit }),
    work_ms: () => 200,
    memory_mb: 32,
    ...options,
  });

describe('a call in a worker thread', () => {
  const workers = open();
  afterAll(workers.close);

  test('returns the value of the function, and starts no thread before the first call', async () => {
    expect(workers.count()).toBe(0);
    expect(await workers.call.double('a', 21)).toBe(42);
    expect(workers.count()).toBe(1);
  });

  test('cannot read the environment variables of the process', async () => {
    expect(await workers.call.environment('a')).toEqual([]);
  });

  test('rejects with the fault or the error of the function', async () => {
    await expect(workers.call.refuse('a')).rejects.toMatchObject({
      status: 422,
      code: 'refused',
      details: { reason: 'test' },
    });
    await expect(workers.call.fail('a')).rejects.toMatchObject({ name: 'TypeError', message: 'a bug' });
  });

  test.each([
    ['loop', 'too_much_work'],
    ['backtrack', 'too_much_work'],
    ['fill', 'too_much_memory'],
  ])('is rejected if it never ends (%s): %s', async (name, limit) => {
    const hostile = workers.call as unknown as Record<string, (workspace_id: string) => Promise<unknown>>;
    await expect(hostile[name]!('a')).rejects.toMatchObject({ code: 'exceeded', details: { limit } });
    expect(await workers.call.double('a', 1)).toBe(2);
  });

  test('is rejected if its thread ends, and the next call gets a new thread', async () => {
    await expect(workers.call.end('a')).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    expect(await workers.call.double('a', 1)).toBe(2);
  });

  test('leaves a thread to other workspaces', async () => {
    const hostile = [1, 2, 3].map(() => workers.call.loop('a').catch(() => 'rejected'));
    expect(await Promise.race([workers.call.double('b', 4), hostile[0]])).toBe(8);
    expect(await Promise.all(hostile)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  test('is rejected immediately beyond the share of its workspace', async () => {
    const calls = Array.from({ length: 65 }, () => workers.call.double('a', 1));
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { status: 429, code: 'rate_limited' } },
    ]);
  });
});

test('rejects a call that neither computes nor ends after the longest time', async () => {
  const workers = open({ longest_ms: 1_500 });
  await expect(workers.call.wait('a')).rejects.toMatchObject({ details: { limit: 'stuck' } });
  workers.close();
});

test('ends a thread that has no calls for a while', async () => {
  const workers = open({ idle_ms: 1 });
  expect(await workers.call.double('a', 1)).toBe(2);
  while (workers.count() > 0) await pause(5);
  expect(await workers.call.double('a', 2)).toBe(4);
  workers.close();
});
