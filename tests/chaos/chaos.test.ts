import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../suite/eventually.ts';
import { bearer } from '../suite/person.ts';
import { startedSuite } from '../suite/started.ts';
import { openWorkspace, type Workspace } from '../suite/workspace.ts';
import { discrepancies, unheard, unpublished } from './effects.ts';
import { keepDown, strike } from './faults.ts';
import { type Recorder, recorder } from './recorder.ts';
import { type Ground, work } from './shift.ts';

const SHIFT = ['sell', 'sell', 'sell', 'employ'] as const;
const KILLED = ['crm', 'platform', 'nats', 'postgres', 'platform', 'crm', 'postgres', 'nats'];
const RECOVERY_MS = 30_000;
const SETTLING_MS = 60_000;
const NATS_DOWN_MS = 8_000;
/** The shortest time between two blows: everybody gets some work done. */
const CALM_MS = 1_500;
const DEADLINE_MS = 10_000;

const suite = await startedSuite();
let acme: Workspace;
let notes: Recorder;
const recoveries: { killed: string; took_ms: number; acknowledged: number }[] = [];
let acknowledgedWithoutNats = 0;

const acknowledged = () => notes.outcomes.filter(({ outcome }) => outcome === 'ok').length;

/** Kills everything in turn, and leaves the shift some time in between to get work done. */
async function strikeAll(): Promise<void> {
  for (const killed of KILLED) {
    const before = acknowledged();
    const took_ms = await strike(suite, killed, RECOVERY_MS);
    await pause(CALM_MS);
    await eventually(() => expect(acknowledged()).toBeGreaterThan(before + SHIFT.length), RECOVERY_MS);
    recoveries.push({ killed, took_ms: Math.round(took_ms), acknowledged: acknowledged() - before });
  }
}

beforeAll(async () => {
  acme = await openWorkspace(suite);
  const { owner, roles } = acme;
  const [, { id: stage_id }] = (await owner.get('/api/lead-stages?sort=position')).body.data;
  notes = recorder(join(suite.data, 'recorder.jsonl'));
  const over = new AbortController();
  const seller = { ...owner, ...bearer(suite.gateway, owner.access_token, DEADLINE_MS) };
  const ground: Ground = {
    owner: seller,
    recorder: notes,
    role_id: String(roles['staff']),
    stage_id,
    stopping: over.signal,
  };
  const shift = SHIFT.map((task) => work(ground, task));
  try {
    await strikeAll();
    const before = acknowledged();
    await keepDown(suite, 'nats', NATS_DOWN_MS);
    acknowledgedWithoutNats = acknowledged() - before;
    await pause(CALM_MS);
  } finally {
    over.abort();
    await Promise.all(shift);
  }
  console.info(`Recoveries: ${JSON.stringify(recoveries)}; ${acknowledged()} writes acknowledged.`);
}, 240_000);

describe('a client that writes with keys while every process is killed in turn', () => {
  test('gets every write through, and none of them is refused', () => {
    expect(recoveries.map(({ killed }) => killed)).toEqual(KILLED);
    expect(notes.outcomes.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect(notes.outcomes.some(({ tries }) => tries > 1)).toBe(true);
  });

  test('is told the same when it asks again', () => {
    expect(notes.contradictions).toEqual([]);
  });

  test('goes on as if nothing were wrong while NATS is down', () => {
    expect(acknowledgedWithoutNats).toBeGreaterThan(4 * SHIFT.length);
  });

  test('finds every event published, and taken in, soon after', async () => {
    await eventually(async () => expect(await unpublished(suite)).toBe(0), SETTLING_MS);
    await eventually(async () => expect(await unheard(suite)).toEqual([]), SETTLING_MS);
  }, 130_000);

  test('finds everything that was acknowledged, once, and nothing else', async () => {
    expect(await discrepancies(suite, acme.id, notes.outcomes)).toEqual([]);
  });

  test('finds the events of every record numbered without a gap', async () => {
    for (const service of Object.keys(suite.databases)) {
      const broken = await suite.sql(
        service,
        `SELECT aggregate_id FROM outbox GROUP BY workspace_id, aggregate_id
         HAVING max(aggregate_version) <> count(*) OR min(aggregate_version) <> 1`,
      );
      expect(broken).toEqual([]);
    }
  });

  test('finds nobody’s work with somebody who left', async () => {
    const left = await suite.sql(
      'crm',
      `SELECT leads.id FROM leads JOIN users ON users.id = owner_id WHERE users.status = 'former'`,
    );
    expect(left).toEqual([]);
  });
});
