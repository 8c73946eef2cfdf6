import { describe, expect, test } from '@jest/globals';
import type { Outcome } from '../../load/recorder.ts';
import { longestGap, type Span } from './gap.ts';
import { brokenRound, evaluate, type Measurements } from './gates.ts';
import { resultsPage, table } from './results.ts';
import { failures, planRounds } from '../failures/failures.ts';

const span = (sent_at: number, settled_at: number, group = 'lead', tries = 1): Span => ({
  group,
  sent_at,
  settled_at,
  tries,
});

describe('the longest gap', () => {
  test('is the time in which requests wait and none succeeds', () => {
    expect(longestGap([span(0, 10), span(15, 4_000), span(3_900, 4_010)], 0)).toBe(3_985);
  });

  test('begins with the last success, not with the oldest waiting request', () => {
    expect(longestGap([span(0, 5_000), span(100, 2_000), span(2_100, 2_200)], 0)).toBe(2_800);
  });

  test('does not include time without a waiting request', () => {
    expect(longestGap([span(0, 10), span(9_000, 9_020)], 0)).toBe(20);
  });

  test('is measured for each group on its own', () => {
    const leads = Array.from({ length: 60 }, (_, at) => span(at * 100, at * 100 + 50));
    expect(longestGap([...leads, span(1_000, 5_000, 'invoice', 4)], 0)).toBe(4_000);
  });

  test('does not include time before the failure', () => {
    expect(longestGap([span(0, 3_000), span(3_100, 3_200)], 3_050)).toBe(100);
    expect(longestGap([span(0, 3_000), span(100, 9_000)], 8_500)).toBe(500);
  });

  test('is 0 without requests', () => {
    expect(longestGap([], 0)).toBe(0);
  });
});

const write = (sent_at: number, settled_at: number, more: Partial<Outcome> = {}): Outcome => ({
  kind: 'lead',
  marker: String(sent_at),
  outcome: 'ok',
  tries: 1,
  reply: undefined,
  sent_at,
  settled_at,
  ...more,
});
const measured = (more: Partial<Measurements> = {}): Measurements => ({
  writes: [write(0, 100), write(1_000, 1_100)],
  reads: [span(0, 50, 'read'), span(1_000, 1_050, 'read')],
  contradictions: [],
  started_at: 0,
  struck_at: 500,
  discrepancies: [],
  violations: [],
  ...more,
});

describe('the gates of a round', () => {
  test('are met without losses, failures and long gaps', () => {
    expect(evaluate(measured(), { gap_ms: 1_000, fails_no_write: true })).toMatchObject({ gap_ms: 100, unmet: [] });
  });

  test('fail for a gap above the limit', () => {
    const writes = [write(0, 100), write(500, 12_000, { tries: 9 })];
    const { unmet, failed } = evaluate(measured({ writes }), { gap_ms: 10_000 });
    expect(unmet).toEqual(['the gap of 11.5 s exceeds 10.0 s']);
    expect(failed).toBe(1);
  });

  test('fail for a write that failed once if none may fail', () => {
    const writes = [write(0, 100, { tries: 2 }), write(1_000, 1_400, { tries: 2 })];
    expect(evaluate(measured({ writes }), { fails_no_write: true }).unmet).toEqual([
      '1 writes failed before they succeeded (before the failure: 1)',
    ]);
    expect(evaluate(measured({ writes }), {}).unmet).toEqual([]);
  });

  test('fail for lost and doubled effects, and for findings of the audit', () => {
    const discrepancies = [
      { sentence: 'lead a', times: 0, is_acknowledged: true },
      { sentence: 'lead b', times: 2, is_acknowledged: true },
      { sentence: 'lead c', times: 1, is_acknowledged: false },
    ];
    const result = evaluate(measured({ discrepancies, violations: [{ check: 'balance', row: {} }] }), {});
    expect(result).toMatchObject({ lost: 1, doubled: 2, violations: 1 });
    expect(result.unmet).toHaveLength(3);
  });

  test('fail for writes that are rejected or never answered', () => {
    const writes = [write(0, 100), write(1, 2, { outcome: 'refused' }), write(3, 9, { outcome: 'unknown' })];
    expect(evaluate(measured({ writes }), {}).unmet).toEqual(['2 writes were rejected or not answered']);
  });

  test('fail for reads that fail longer than writes', () => {
    const reads = [span(0, 50, 'read'), span(600, 2_900, 'read', 5)];
    expect(evaluate(measured({ reads }), {}).unmet).toEqual(['reads failed longer (2.3 s) than writes (0.1 s)']);
  });

  test('count the writes a second before the failure', () => {
    const writes = [write(0, 100), write(100, 200), write(400, 600)];
    expect(evaluate(measured({ writes }), {}).writes_per_second).toBe(4);
  });

  test('fail for a round that ends with an error', () => {
    expect(brokenRound(new Error('PostgreSQL has no leader'))).toMatchObject({
      is_complete: false,
      unmet: ['the round was not completed (PostgreSQL has no leader)'],
    });
  });

  test('fail without an acknowledged write', () => {
    expect(evaluate(measured({ writes: [] }), {}).unmet).toEqual(['no write was acknowledged']);
  });
});

describe('the results of a run', () => {
  const rounds = [
    { failure: failures[0]!, result: evaluate(measured(), failures[0]!.gate) },
    { failure: failures[1]!, result: evaluate(measured({ contradictions: ['lead'] }), failures[1]!.gate) },
  ];

  test('are a table with a sentence for each gate that is not met', () => {
    const lines = table(rounds).split('\n');
    expect(lines[2]).toMatch(/^\| Primary's postmaster.* \| 0\.1 s \| ≤ 10 s \| .* \| yes \|$/);
    expect(lines[3]).toMatch(/ \| no \|$/);
    expect(lines.at(-1)).toBe('- Round 2 (machine): 1 repeated requests returned another response.');
  });

  test('name the machine and the day', () => {
    const machine = { cpu: 'CPU', cores: 2, memory_gib: 8, node: '24.0.0', postgres: '17.1', load_average: 3.2 };
    expect(resultsPage(rounds, machine, '2026-03-02')).toContain(
      'Measured on 2026-03-02, on CPU, 2 cores, 8 GiB; Node 24.0.0, PostgreSQL 17.1.',
    );
  });
});

describe('the plan of the rounds', () => {
  test('has every failure once unless a number is specified', () => {
    expect(planRounds(undefined, undefined)).toEqual(failures);
    expect(planRounds(undefined, failures.length + 1)).toHaveLength(failures.length + 1);
  });

  test('puts rounds through PgBouncer last', () => {
    const names = planRounds(['postgres', 'pgbouncer-postgres'], 4).map(({ name }) => name);
    expect(names).toEqual(['postgres', 'postgres', 'pgbouncer-postgres', 'pgbouncer-postgres']);
  });

  test('rejects an unknown failure with the known ones', () => {
    expect(() => planRounds(['fire'], undefined)).toThrow(/^Failure "fire" not found\. Choose from: postgres, /);
  });
});
