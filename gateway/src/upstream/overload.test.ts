/** More requests than a service can take: the first are served, the rest hear so at once. */
import { request, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, ask } from '../../test/http-client.ts';
import type { Person } from '../../test/signed-in-user.ts';
import { stage } from '../../test/gateway-fixture.ts';

/** Nothing here ends because of the time that it took: requests are held and let go by the test. */
const patient = { read_ms: 600_000, write_ms: 600_000, transfer_ms: 600_000 };
const { gateway, another, crm, platform, signIn } = await stage({ deadlines: patient });
/** Only those who read run out of time here. */
const hasty = await another({}, { ...patient, read_ms: 500 });
let kim: Person;
beforeAll(() => {
  kim = signIn();
});
afterEach(() => {
  delete crm.answer;
});

const headers = () => ({ authorization: kim.authorization, 'content-type': 'application/json' });
const read = () => ask(hasty.url, '/api/leads', { headers: headers() });
const write = ({ url } = gateway) => ask(url, '/api/lead/create', { method: 'POST', headers: headers(), body: '{}' });
const neighbour = () => ask(gateway.url, '/api/user', { headers: headers() });

/** Has the service hold what it is asked. `letGo` answers it all, and whatever comes later. */
function latch() {
  const inside: ServerResponse[] = [];
  crm.answer = (_request, response) => void inside.push(response);
  const letGo = () => {
    crm.answer = (_request, response) => void response.end('{}');
    for (const response of inside) response.end('{}');
  };
  return { inside, letGo };
}

/** The answers that are refusals; `enough` runs when there are so many. */
function refusals(many: number, enough: () => void) {
  const refused: Answer[] = [];
  const watch = (answer: Answer) => {
    if (answer.status !== 200 && refused.push(answer) === many) enough();
    return answer;
  };
  return { refused, watch };
}

const EVERYBODY_SERVED = new Set([200]);
/** How as many as one caller may send at once are answered: only a place that is kept can refuse one. */
const room = async () =>
  new Set((await Promise.all(Array.from({ length: 96 }, () => write(hasty)))).map(({ status }) => status));

describe('a service with too much to do', () => {
  test('gets 64 requests at once; 128 more wait; the rest is turned away at once', async () => {
    const { url } = await another({ TRUST_PROXY: '1' });
    const { inside, letGo } = latch();
    const { refused, watch } = refusals(240 - 64 - 128, letGo);
    const everybody = Array.from({ length: 240 }, (_, at) => ({ ...signIn(), address: `192.0.2.${at}` }));
    const asked = everybody.map(({ authorization, address }) => {
      const from = { authorization, 'content-type': 'application/json', 'x-forwarded-for': address };
      return ask(url, '/api/lead/create', { method: 'POST', headers: from, body: '{}' }).then(watch);
    });
    await Promise.all(asked);
    expect(inside).toHaveLength(64);
    expect(refused).toHaveLength(240 - 64 - 128);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect((await write()).status).toBe(200);
  });

  test('refuses without waiting for the body', async () => {
    const { letGo } = latch();
    let full = () => {};
    const isFull = new Promise<void>((resolve) => (full = resolve));
    const { watch } = refusals(1, full);
    const stuck = Array.from({ length: 32 + 64 + 1 }, () => write().then(watch));
    await isFull;
    const status = await new Promise((resolve, reject) => {
      const unfinished = request(`${gateway.url}/api/lead/create`, {
        method: 'POST',
        headers: { ...headers(), 'content-length': '10' },
      });
      unfinished.on('response', (response) => {
        resolve(response.statusCode);
        unfinished.destroy();
      });
      unfinished.on('error', reject).flushHeaders();
    });
    expect(status).toBe(503);
    letGo();
    await Promise.all(stuck);
  });

  test('is no reason to refuse others when it is one who asks too much', async () => {
    const { inside, letGo } = latch();
    let full = () => {};
    const isFull = new Promise<void>((resolve) => (full = resolve));
    const { refused, watch } = refusals(300 - 32 - 64, full);
    const greedy = Array.from({ length: 300 }, () => write().then(watch));
    await isFull;
    expect(inside).toHaveLength(32);
    crm.answer = (_request, response) => void response.end('{}');
    const ada = signIn();
    const others = Array.from({ length: 10 }, () =>
      ask(gateway.url, '/api/leads', { headers: { authorization: ada.authorization } }),
    );
    expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(EVERYBODY_SERVED);
    letGo();
    await Promise.all(greedy);
    expect(refused).toHaveLength(300 - 32 - 64);
  });

  test('does not keep a request waiting beyond its deadline, and takes no harm from those who left', async () => {
    let asked = 0;
    crm.answer = () => void (asked += 1);
    const answers = await Promise.all(Array.from({ length: 100 }, () => read()));
    for (const { status } of answers) expect([503, 504]).toContain(status);
    expect(asked).toBeGreaterThanOrEqual(32);
    delete crm.answer;
    expect(await room()).toEqual(EVERYBODY_SERVED);
  });

  test('gives no place to those whose time was over while they waited', async () => {
    const { inside, letGo } = latch();
    const stuck = Array.from({ length: 32 }, () => write(hasty));
    while (inside.length < 32) await pause(5);
    const waited = await Promise.all(Array.from({ length: 64 }, () => read()));
    expect(new Set(waited.map(({ status }) => status))).toEqual(new Set([503]));
    letGo();
    expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(EVERYBODY_SERVED);
    expect(inside).toHaveLength(32);
    delete crm.answer;
    expect(await room()).toEqual(EVERYBODY_SERVED);
  });

  test('is no reason to refuse its neighbours', async () => {
    const { letGo } = latch();
    const stuck = Array.from({ length: 128 }, () => write());
    const beside = await Promise.all(Array.from({ length: 20 }, () => neighbour()));
    expect(beside.every(({ status }) => status === 200)).toBe(true);
    letGo();
    await Promise.all(stuck);
    expect(platform.seen.length).toBeGreaterThanOrEqual(20);
  });
});
