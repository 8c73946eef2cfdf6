/** More requests than a service can take: the first are served, the rest hear so at once. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ask } from '../test/ask.ts';
import type { Person } from '../test/person.ts';
import { stage } from '../test/stage.ts';

const deadlines = { read_ms: 500, write_ms: 3_000, transfer_ms: 3_000 };
const { gateway, crm, platform, signIn } = await stage({ deadlines });
let kim: Person;
beforeAll(() => {
  kim = signIn();
});
afterEach(() => {
  delete crm.answer;
});

const headers = () => ({ authorization: kim.authorization, 'content-type': 'application/json' });
const read = () => ask(gateway.url, '/api/leads', { headers: headers() });
const write = () => ask(gateway.url, '/api/lead/create', { method: 'POST', headers: headers(), body: '{}' });
const neighbour = () => ask(gateway.url, '/api/user', { headers: headers() });

const EVERYBODY_SERVED = new Set([200]);
/** How a hundred at once are answered: writes, which have time enough, so that only a place that is kept can refuse one. */
const room = async () => new Set((await Promise.all(Array.from({ length: 100 }, write))).map(({ status }) => status));

describe('a service with too much to do', () => {
  test('gets 64 requests at once; 64 more wait; the rest is turned away at once', async () => {
    const inside: ServerResponse[] = [];
    let most = 0;
    crm.answer = (_request, response) => {
      inside.push(response);
      response.once('close', () => inside.splice(inside.indexOf(response), 1));
      most = Math.max(most, inside.length);
      setTimeout(() => response.end('{}'), 700);
    };
    const start = performance.now();
    const asked = await Promise.all(
      Array.from({ length: 150 }, async () => {
        const answer = await write();
        return { answer, took_ms: performance.now() - start };
      }),
    );
    const refused = asked.filter(({ answer }) => answer.status !== 200);
    expect(most).toBe(64);
    expect(refused).toHaveLength(150 - 128);
    for (const { answer } of refused) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect((await write()).status).toBe(200);
  });

  test('does not keep a request waiting beyond its deadline, and takes no harm from those who left', async () => {
    let asked = 0;
    crm.answer = () => void (asked += 1);
    const start = performance.now();
    const answers = await Promise.all(Array.from({ length: 100 }, () => read()));
    for (const { status } of answers) expect([503, 504]).toContain(status);
    expect(performance.now() - start).toBeLessThan(deadlines.write_ms);
    expect(asked).toBeGreaterThanOrEqual(64);
    delete crm.answer;
    expect(await room()).toEqual(EVERYBODY_SERVED);
  });

  test('gives no place to those whose time was over while they waited', async () => {
    const inside: ServerResponse[] = [];
    crm.answer = (_request, response) => void inside.push(response);
    const stuck = Array.from({ length: 64 }, () => write());
    while (inside.length < 64) await pause(5);
    const waited = await Promise.all(Array.from({ length: 64 }, () => read()));
    expect(new Set(waited.map(({ status }) => status))).toEqual(new Set([503]));
    for (const response of [...inside]) response.end('{}');
    expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(EVERYBODY_SERVED);
    expect(inside).toHaveLength(64);
    delete crm.answer;
    expect(await room()).toEqual(EVERYBODY_SERVED);
  });

  test('is no reason to refuse its neighbours', async () => {
    crm.answer = () => undefined;
    const stuck = Array.from({ length: 128 }, () => write());
    const beside = await Promise.all(Array.from({ length: 20 }, () => neighbour()));
    expect(beside.every(({ status }) => status === 200)).toBe(true);
    await Promise.all(stuck);
    expect(platform.seen.length).toBeGreaterThanOrEqual(20);
  });
});
