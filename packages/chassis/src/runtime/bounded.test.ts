import { describe, expect, test } from '@jest/globals';
import { Fault } from '@suite/chassis';
import { bounded } from './bounded.ts';

describe('work that is bounded', () => {
  test('runs two at a time, keeps sixteen waiting and refuses the rest', async () => {
    const inTurn = bounded(2, 16);
    let running = 0;
    let most = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () =>
        inTurn(async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 2));
          running -= 1;
        }),
      ),
    );
    expect(most).toBe(2);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(12);
    const [{ reason }] = refused as [PromiseRejectedResult];
    expect(reason).toBeInstanceOf(Fault);
    expect(reason).toMatchObject({ status: 429, details: { retry_after_s: 1 } });
  });

  test('gives its place back when it fails', async () => {
    const inTurn = bounded(1, 0);
    await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(inTurn(() => Promise.resolve('yes'))).resolves.toBe('yes');
  });
});
