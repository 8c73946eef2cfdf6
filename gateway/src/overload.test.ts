/** More requests than a service can take: the first are served, the rest hear so at once. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, ask } from '../test/ask.ts';
import type { Person } from '../test/person.ts';
import { stage } from '../test/stage.ts';

const deadlines = { read_ms: 500, write_ms: 8_000, transfer_ms: 3_000 };
const { gateway, another, crm, platform, signIn } = await stage({ deadlines });
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
/** How as many as one caller may send at once are answered: writes, which have time enough, so that only a place that is kept can refuse one. */
const room = async () => new Set((await Promise.all(Array.from({ length: 96 }, write))).map(({ status }) => status));

describe('a service with too much to do', () => {
  test('gets 64 requests at once; 128 more wait; the rest is turned away at once', async () => {
    const { url } = await another({ TRUST_PROXY: '1' });
    const inside: ServerResponse[] = [];
    let most = 0;
    const letGo = () => {
      crm.answer = (_request, response) => void response.end('{}');
      for (const response of inside) response.end('{}');
    };
    crm.answer = (_request, response) => void (most = inside.push(response));
    const refused: Answer[] = [];
    const everybody = Array.from({ length: 240 }, (_, at) => ({ ...signIn(), address: `192.0.2.${at}` }));
    const asked = everybody.map(async ({ authorization, address }) => {
      const from = { authorization, 'content-type': 'application/json', 'x-forwarded-for': address };
      const answer = await ask(url, '/api/lead/create', { method: 'POST', headers: from, body: '{}' });
      if (answer.status !== 200 && refused.push(answer) === 240 - 64 - 128) letGo();
    });
    await Promise.all(asked);
    expect(most).toBe(64);
    expect(refused).toHaveLength(240 - 64 - 128);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect((await write()).status).toBe(200);
  });

  test('is no reason to refuse others when it is one who asks too much', async () => {
    const inside: ServerResponse[] = [];
    crm.answer = (_request, response) => void inside.push(response);
    const greedy = Array.from({ length: 300 }, write);
    while (inside.length < 32) await pause(5);
    crm.answer = (_request, response) => void response.end('{}');
    const ada = signIn();
    const others = Array.from({ length: 10 }, () =>
      ask(gateway.url, '/api/leads', { headers: { authorization: ada.authorization } }),
    );
    expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(EVERYBODY_SERVED);
    for (const response of inside) response.end('{}');
    const refused = (await Promise.all(greedy)).filter(({ status }) => status === 503);
    expect(refused).toHaveLength(300 - 32 - 64);
  });

  test('does not keep a request waiting beyond its deadline, and takes no harm from those who left', async () => {
    let asked = 0;
    crm.answer = () => void (asked += 1);
    const start = performance.now();
    const answers = await Promise.all(Array.from({ length: 100 }, () => read()));
    for (const { status } of answers) expect([503, 504]).toContain(status);
    expect(performance.now() - start).toBeLessThan(deadlines.write_ms);
    expect(asked).toBeGreaterThanOrEqual(32);
    delete crm.answer;
    expect(await room()).toEqual(EVERYBODY_SERVED);
  });

  test('gives no place to those whose time was over while they waited', async () => {
    const inside: ServerResponse[] = [];
    crm.answer = (_request, response) => void inside.push(response);
    const stuck = Array.from({ length: 32 }, () => write());
    while (inside.length < 32) await pause(5);
    const waited = await Promise.all(Array.from({ length: 64 }, () => read()));
    expect(new Set(waited.map(({ status }) => status))).toEqual(new Set([503]));
    for (const response of [...inside]) response.end('{}');
    expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(EVERYBODY_SERVED);
    expect(inside).toHaveLength(32);
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
