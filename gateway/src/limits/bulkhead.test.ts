/** Places at a service are shared: nobody fills them alone, and who has least inside enters next. */
import { describe, expect, test } from '@jest/globals';
import { places } from './bulkhead.ts';
import { shares } from './fair-share.ts';

/** Places for requests that are named by who asks: `ada 1`. */
function room(size: number, queue: number) {
  const entered: string[] = [];
  const made = places<string>(size, queue, (one) => entered.push(one));
  const ask = (who: string, times: number) =>
    Array.from({ length: times }, (_, at) => made.take(`${who} ${at}`, [{ name: who, greed: 2 }])).filter(Boolean)
      .length;
  return { entered, ask, leave: made.leave };
}

describe('places', () => {
  test('are never all taken by one, who has two thirds of them and of the queue', () => {
    const { entered, ask } = room(64, 128);
    expect(ask('mallory', 1_000)).toBe(43 + 86);
    expect(entered).toHaveLength(43);
    expect(ask('ada', 5)).toBe(5);
    expect(entered.filter((one) => one.startsWith('ada'))).toHaveLength(5);
  });

  test('are left for a newcomer when others want all of them', () => {
    const { entered, ask } = room(64, 128);
    for (let at = 0; at < 3; at += 1) ask(`mallory${at}`, 1_000);
    expect(ask('ada', 1)).toBe(1);
    expect(entered.at(-1)).toBe('ada 0');
  });

  test('go to who has least inside, and among equals to who came first', () => {
    const { entered, ask, leave } = room(3, 12);
    expect(ask('mallory', 4)).toBe(4);
    expect(ask('bob', 2) + ask('ada', 1)).toBe(3);
    expect(entered).toEqual(['mallory 0', 'mallory 1', 'bob 0']);
    leave('mallory 0');
    expect(entered.at(-1)).toBe('ada 0');
    leave('mallory 1');
    expect(entered.at(-1)).toBe('mallory 2');
  });

  test('are counted on every account, each with a limit of its own', () => {
    const made = places<number>(64, 0, () => undefined);
    const accounts = (caller: number, workspace: string) => [
      { name: `caller ${caller}`, greed: 1 },
      { name: `workspace ${workspace}`, greed: 2 },
      { name: 'the one address', greed: 8 },
    ];
    const inside = Array.from({ length: 64 }, (_, at) => made.take(at, accounts(at, 'w')));
    expect(inside.filter(Boolean)).toHaveLength(43);
    const others = Array.from({ length: 14 }, (_, at) => made.take(64 + at, accounts(64 + at, 'v')));
    expect(others.filter(Boolean)).toHaveLength(14);
    expect(made.take(100, accounts(100, 'u'))).toBe(false);
    expect(made.take(101, [{ name: 'somebody elsewhere', greed: 1 }])).toBe(true);
  });

  test('that are given back are all there again', () => {
    const { entered, ask, leave } = room(64, 128);
    ask('mallory', 1_000);
    for (let at = 0; at < 1_000; at += 1) leave(`mallory ${at}`);
    entered.length = 0;
    expect(ask('mallory', 1_000)).toBe(43 + 86);
    expect(entered).toHaveLength(43);
  });
});

test('shares count amounts, and leave something when one has taken a lot', () => {
  const memory = shares(100);
  const [a, b] = [[{ name: 'a', greed: 2 }], [{ name: 'b', greed: 2 }]];
  memory.take(a, 70);
  expect([memory.admit(a), memory.admit(b)]).toEqual([false, true]);
  memory.giveBack(a, 70);
  expect(memory.admit(a)).toBe(true);
});
