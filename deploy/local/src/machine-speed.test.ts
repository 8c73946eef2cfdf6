import { expect, test } from '@jest/globals';
import { environmentOf } from './environment.ts';
import { deadlineFactor, measureMachine } from './machine-speed.ts';
import { planSuite } from './plan.ts';

test.each([
  ['the usual machine', 60, 1],
  ['a busy machine', 110, 1],
  ['a machine that is five times slower', 300, 10],
  ['a machine that hardly works', 60_000, 100],
])('the deadlines of %s grow with the time of the fixed work', (_, taken_ms, factor) => {
  expect(deadlineFactor(taken_ms)).toBe(factor);
});

test('the fixed work takes time', () => {
  expect(measureMachine()).toBeGreaterThan(1);
});

test('each process of a slow machine receives the factor', () => {
  const plan = { ...planSuite({}), deadline_factor: 10 };
  const servers = { nats_url: 'nats://127.0.0.1:4222', databases: {} };
  for (const planned of plan.processes)
    expect(environmentOf(plan, planned, servers)).toMatchObject({ DEADLINE_FACTOR: '10' });
});
