import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { fault } from '@suite/chassis/faults';
import { openQueue } from './queue.ts';

const busy = fault(503, 'printer_busy', 'Try again.');
const tooMany = fault(429, 'too_many_prints', 'Try again.');
const options = { places: 1, share: 4, waiting: 100, patience_ms: 60_000, busy, tooMany };

/** Creates work that ends on demand and records when it begins. */
function works() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((end) => ends.push(end));
    return name;
  };
  const finishAll = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      while (ends.length === 0) await pause(1);
      ends.shift()!();
      await pause(1);
    }
  };
  return { begun, work, finishAll };
}

describe('a queue', () => {
  test('serves every workspace in rotation, regardless of the requests of one', async () => {
    const queue = openQueue(options);
    const { begun, work, finishAll } = works();
    const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => queue.inTurn(name[0]!, work(name)));
    await finishAll(asked.length);
    await Promise.all(asked);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  test('rejects a workspace that exceeds its share, and no other workspace', async () => {
    const queue = openQueue({ ...options, share: 2 });
    const { work, finishAll } = works();
    const asked = ['a1', 'a2', 'a3', 'b1'].map((name) => queue.inTurn(name[0]!, work(name)));
    const settled = Promise.allSettled(asked);
    await finishAll(3);
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect((await settled)[2]).toMatchObject({
      reason: { status: 429, code: 'too_many_prints', details: { retry_after_s: 1 } },
    });
    const again = queue.inTurn('a', work('a4'));
    await finishAll(1);
    expect(await again).toBe('a4');
  });

  test('rejects jobs that waited too long, and continues', async () => {
    const queue = openQueue({ ...options, patience_ms: 5 });
    const { work, finishAll } = works();
    const first = queue.inTurn('a', work('a1'));
    await expect(queue.inTurn('b', work('b1'))).rejects.toMatchObject({ status: 503, code: 'printer_busy' });
    await finishAll(1);
    await first;
    const next = queue.inTurn('b', work('b2'));
    await finishAll(1);
    expect(await next).toBe('b2');
  });

  test('leaves one of several places to other workspaces', async () => {
    const queue = openQueue({ ...options, places: 2 });
    const { begun, work, finishAll } = works();
    const asked = ['a1', 'a2', 'b1', 'a3'].map((name) => queue.inTurn(name[0]!, work(name)));
    await pause(5);
    expect(begun).toEqual(['a1', 'b1']);
    await finishAll(asked.length);
    await Promise.all(asked);
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  test('continues after a job failed', async () => {
    const queue = openQueue(options);
    await expect(queue.inTurn('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.inTurn('a', () => Promise.resolve('done'))).toBe('done');
  });
});
