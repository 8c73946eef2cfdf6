/**
 * Tests of the bulkhead's fairness: no consumer can fill it alone, and the consumer with the lowest usage runs next.
 */
import { describe, expect, test } from '@jest/globals';
import { bulkhead, type BulkheadSlot } from './bulkhead.ts';
import { fairShare } from './fair-share.ts';

/** Creates a bulkhead for requests that start with their user: `ada 1`. */
function userBulkhead(max_running: number, max_waiting: number) {
  const started: string[] = [];
  const made = bulkhead<string>(max_running, max_waiting, (request) => started.push(request));
  const places = new Map<string, BulkheadSlot>();
  const enterOne = (user: string, request: string) => {
    const place = made.enter(request, [{ name: user, weight: 2 }]);
    if (place) places.set(request, place);
    return place;
  };
  const enter = (user: string, times: number) =>
    Array.from({ length: times }, (_, at) => enterOne(user, `${user} ${at}`)).filter(Boolean).length;
  const leave = (request: string) => places.get(request)?.leave();
  return { started, enter, leave, places };
}

describe('a bulkhead', () => {
  test('limits one user to two thirds of its slots and of its queue', () => {
    const { started, enter } = userBulkhead(64, 128);
    expect(enter('mallory', 1_000)).toBe(43 + 86);
    expect(started).toHaveLength(43);
    expect(enter('ada', 5)).toBe(5);
    expect(started.filter((request) => request.startsWith('ada'))).toHaveLength(5);
  });

  test('admits a new user while three others use all they can', () => {
    const { started, enter } = userBulkhead(64, 128);
    for (let at = 0; at < 3; at += 1) enter(`mallory${at}`, 1_000);
    expect(enter('ada', 1)).toBe(1);
    expect(started.at(-1)).toBe('ada 0');
  });

  test('runs the user with the lowest usage next, and the oldest request among equals', () => {
    const { started, enter, leave } = userBulkhead(3, 12);
    expect(enter('mallory', 4)).toBe(4);
    expect(enter('bob', 2) + enter('ada', 1)).toBe(3);
    expect(started).toEqual(['mallory 0', 'mallory 1', 'bob 0']);
    leave('mallory 0');
    expect(started.at(-1)).toBe('ada 0');
    leave('mallory 1');
    expect(started.at(-1)).toBe('mallory 2');
  });

  test('counts a request for each of its consumers, with separate limits', () => {
    const made = bulkhead<number>(64, 0, () => undefined);
    const consumers = (caller: number, workspace: string) => [
      { name: `caller ${caller}`, weight: 1 },
      { name: `workspace ${workspace}`, weight: 2 },
      { name: 'the one address', weight: 8 },
    ];
    const ours = Array.from({ length: 64 }, (_, at) => made.enter(at, consumers(at, 'w')));
    expect(ours.filter(Boolean)).toHaveLength(43);
    const others = Array.from({ length: 14 }, (_, at) => made.enter(64 + at, consumers(64 + at, 'v')));
    expect(others.filter(Boolean)).toHaveLength(14);
    expect(made.enter(100, consumers(100, 'u'))).toBeUndefined();
    expect(made.enter(101, [{ name: 'another address', weight: 1 }])).toBeDefined();
  });

  test('is empty again when all requests have left', () => {
    const { started, enter, leave } = userBulkhead(64, 128);
    enter('mallory', 1_000);
    for (let at = 0; at < 1_000; at += 1) leave(`mallory ${at}`);
    started.length = 0;
    expect(enter('mallory', 1_000)).toBe(43 + 86);
    expect(started).toHaveLength(43);
  });
});

test('a place reports whether it waits, and leaving it twice has no effect', () => {
  const { enter, leave, places, started } = userBulkhead(3, 12);
  enter('mallory', 3);
  enter('ada', 1);
  const waits = () => [...places.values()].map((place) => place.isWaiting());
  expect(waits()).toEqual([false, false, true, false]);
  leave('mallory 2');
  leave('mallory 2');
  expect(waits()).toEqual([false, false, false, false]);
  leave('mallory 0');
  leave('mallory 0');
  expect(enter('bob', 2)).toBe(2);
  expect(started).toEqual(['mallory 0', 'mallory 1', 'ada 0', 'bob 0']);
});

test('a fair share has full capacity again after thousands of consumers', () => {
  const share = fairShare(10);
  const consumers = (name: number) => [{ name: `caller ${name}`, weight: 1 }];
  const constant = [{ name: 'workspace', weight: 4 }];
  share.acquire(constant, 2);
  for (let name = 0; name < 5_000; name += 1) {
    share.acquire(consumers(name));
    share.release(consumers(name));
  }
  expect(share.usage(constant)).toBe(0.5);
  expect(share.usage(consumers(4_999))).toBe(0);
  share.acquire(consumers(1), 4);
  expect([share.admits(consumers(1)), share.admits(consumers(2))]).toEqual([false, true]);
});

test('a fair share counts amounts, and reserves capacity for other consumers', () => {
  const memory = fairShare(100);
  const [a, b] = [[{ name: 'a', weight: 2 }], [{ name: 'b', weight: 2 }]];
  memory.acquire(a, 70);
  expect([memory.admits(a), memory.admits(b)]).toEqual([false, true]);
  memory.release(a, 70);
  expect(memory.admits(a)).toBe(true);
});
