/**
 * Measures if response times reveal which addresses have an account, and the cost of signing in apart from the
 * password.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../load/median.ts';
import { type Figure, alternate, throughput } from '../report/figure.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import type { FiredRequests } from '../load/load.ts';
import { gatewayUrl } from './sides.ts';
import { repeatRequest } from './works.ts';

const TRIES = 500;
const DRAIN_MS = 1_500;
/** Number of accounts, high enough that no account is slowed by repeated tries. */
const ACCOUNTS = 10;

let attempts = 0;

/**
 * Measures how long platform takes to reject a password. Calls platform directly, because the gateway would only add
 * noise.
 */
async function timeRejectedLogin({ service, serviceToken }: BenchFixture, email: string): Promise<number> {
  attempts += 1;
  const headers = {
    authorization: serviceToken('platform', null),
    'content-type': 'application/json',
    // Each request has another address, so that it counts as a first attempt.
    'x-client-address': `10.0.${attempts >> 8}.${attempts & 255}`,
  };
  const body = JSON.stringify({ email, password: 'not the password' });
  const begun = performance.now();
  const response = await fetch(`${service('platform')}/api/login`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  const took_ms = performance.now() - begun;
  if (response.status !== 401) throw new Error(`A wrong password returned ${response.status}.`);
  return took_ms;
}

/**
 * Returns the probability that the slower of two responses belongs to an account: 0.5 is chance. (The area under the
 * curve of a classifier that knows only the time.)
 */
function areaUnderCurve(known: readonly number[], unknown: readonly number[]): number {
  const wins = known.flatMap((one) => unknown.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
  const area = wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
  return Math.max(area, 1 - area);
}

/** Compares the response times for known and unknown addresses, in alternating order. */
export async function loginSecrecy(fixture: BenchFixture): Promise<Figure[]> {
  const known = fixture.suite.demo?.logins.slice(0, ACCOUNTS).map(({ email }) => email) ?? [];
  if (known.length < ACCOUNTS) throw new Error('The demo has too few accounts.');
  const unknown = known.map(() => `${randomUUID()}@demo.test`);
  const took: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let at = -ACCOUNTS; at < TRIES; at += 1) {
    const place = (at + ACCOUNTS) % ACCOUNTS;
    const sides = [
      async () => took.known.push(await timeRejectedLogin(fixture, known[place]!)),
      async () => took.unknown.push(await timeRejectedLogin(fixture, unknown[place]!)),
    ];
    for (const side of Math.random() < 0.5 ? sides : sides.toReversed()) await side();
  }
  // The first round warmed up the process.
  const [ours, theirs] = [took.known.slice(ACCOUNTS), took.unknown.slice(ACCOUNTS)];
  return [
    {
      figure: 'login-secrecy',
      title: `Response-time leak of known addresses at login (AUC, ${TRIES} tries each)`,
      value: areaUnderCurve(ours, theirs),
      unit: '',
      target: { at_most: 0.55 },
      rounds: { measured: [median(ours)], baseline: [median(theirs)] },
    },
  ];
}

/** Measures logins of some accounts with correct passwords through the gateway, against the hashing alone. */
export async function login(fixture: BenchFixture): Promise<Figure[]> {
  const { suite, load } = fixture;
  const { demo } = suite;
  if (!demo) throw new Error('No demo found.');
  const passwords = await fixture.baseline('../figures/passwords.ts', {});
  const turns = demo.logins.map(({ email }) => ({ body: JSON.stringify({ email, password: demo.password }) }));
  const request = {
    url: `${gatewayUrl(suite)}/api/login`,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    turns,
  };
  const signingIn = repeatRequest(load, () => request);
  const [measured = [], baseline = []] = await alternate([
    async (seconds) => {
      const fired = await signingIn(seconds);
      // The last passwords are still being hashed without a waiting client, and the queue is limited.
      await pause(DRAIN_MS);
      return fired;
    },
    (seconds) => passwords.ask<FiredRequests>({ seconds }),
  ]);
  passwords.stop();
  return [
    throughput(
      {
        figure: 'login',
        title:
          'Throughput of `POST /api/login` through the gateway, against verifying as many passwords alone (argon2id)',
        target: { at_least: 0.85 },
      },
      measured,
      baseline,
    ),
  ];
}
