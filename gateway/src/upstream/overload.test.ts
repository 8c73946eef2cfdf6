/** More concurrent requests than a service can process: the first are served, the others rejected immediately. */
import { request, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type HttpResponse, sendRequest } from '../../test/http-client.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

/** No request times out with these deadlines: the test blocks and unblocks requests itself. */
const patient = { read_ms: 600_000, write_ms: 600_000, print_ms: 600_000, transfer_ms: 600_000, batch_ms: 600_000 };
const { gateway, startAnother, crm, platform, signIn } = await gatewayFixture({ deadlines: patient });
/** Only reads time out here. */
const impatient = await startAnother({}, { ...patient, read_ms: 500 });
let kim: SignedInUser;
beforeAll(() => {
  kim = signIn();
});
afterEach(() => {
  delete crm.respond;
});

const headers = () => ({ authorization: kim.authorization, 'content-type': 'application/json' });
const read = () => sendRequest(impatient.url, '/api/leads', { headers: headers() });
const write = ({ url } = gateway) =>
  sendRequest(url, '/api/lead/create', { method: 'POST', headers: headers(), body: '{}' });
const callOtherService = () => sendRequest(gateway.url, '/api/user', { headers: headers() });

/** Blocks requests at the service. `unblock` responds to the blocked and all later requests. */
function blockCrm() {
  const inside: ServerResponse[] = [];
  crm.respond = (_request, response) => void inside.push(response);
  const unblock = () => {
    crm.respond = (_request, response) => void response.end('{}');
    for (const response of inside) response.end('{}');
  };
  return { inside, unblock };
}

/** Collects the rejections among responses. Calls `enough` when the count reaches `many`. */
function collectRefusals(many: number, enough: () => void) {
  const refused: HttpResponse[] = [];
  const watch = (answer: HttpResponse) => {
    if (answer.status !== 200 && refused.push(answer) === many) enough();
    return answer;
  };
  return { refused, watch };
}

const ALL_SERVED = new Set([200]);
/** Returns the statuses of as many concurrent requests as one caller may send: only a leaked slot can reject one. */
const statusesOfFullLoad = async () =>
  new Set((await Promise.all(Array.from({ length: 96 }, () => write(impatient)))).map(({ status }) => status));

describe('an overloaded service', () => {
  test('runs 64 concurrent requests, queues 128 and rejects the rest immediately', async () => {
    const { url } = await startAnother({ TRUST_PROXY: '1' });
    const { inside, unblock } = blockCrm();
    const { refused, watch } = collectRefusals(240 - 64 - 128, unblock);
    const everybody = Array.from({ length: 240 }, (_, at) => ({ ...signIn(), address: `192.0.2.${at}` }));
    const asked = everybody.map(({ authorization, address }) => {
      const from = { authorization, 'content-type': 'application/json', 'x-forwarded-for': address };
      return sendRequest(url, '/api/lead/create', { method: 'POST', headers: from, body: '{}' }).then(watch);
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

  test('rejects requests without waiting for the body', async () => {
    const { unblock } = blockCrm();
    let full = () => {};
    const isFull = new Promise<void>((resolve) => (full = resolve));
    const { watch } = collectRefusals(1, full);
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
    unblock();
    await Promise.all(stuck);
  });

  test('serves other callers while one caller sends too much', async () => {
    const { inside, unblock } = blockCrm();
    let full = () => {};
    const isFull = new Promise<void>((resolve) => (full = resolve));
    const { refused, watch } = collectRefusals(300 - 32 - 64, full);
    const greedy = Array.from({ length: 300 }, () => write().then(watch));
    await isFull;
    expect(inside).toHaveLength(32);
    crm.respond = (_request, response) => void response.end('{}');
    const ada = signIn();
    const others = Array.from({ length: 10 }, () =>
      sendRequest(gateway.url, '/api/leads', { headers: { authorization: ada.authorization } }),
    );
    expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(ALL_SERVED);
    unblock();
    await Promise.all(greedy);
    expect(refused).toHaveLength(300 - 32 - 64);
  });

  test('ends waiting requests at their deadline, and frees slots of clients that left', async () => {
    let asked = 0;
    crm.respond = () => void (asked += 1);
    const answers = await Promise.all(Array.from({ length: 100 }, () => read()));
    for (const { status } of answers) expect([503, 504]).toContain(status);
    expect(asked).toBeGreaterThanOrEqual(32);
    delete crm.respond;
    expect(await statusesOfFullLoad()).toEqual(ALL_SERVED);
  });

  test('does not run a request whose deadline passed in the queue', async () => {
    const { inside, unblock } = blockCrm();
    const stuck = Array.from({ length: 32 }, () => write(impatient));
    while (inside.length < 32) await pause(5);
    const waited = await Promise.all(Array.from({ length: 64 }, () => read()));
    expect(new Set(waited.map(({ status }) => status))).toEqual(new Set([503]));
    unblock();
    expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(ALL_SERVED);
    expect(inside).toHaveLength(32);
    delete crm.respond;
    expect(await statusesOfFullLoad()).toEqual(ALL_SERVED);
  });

  test('does not affect other services', async () => {
    const { unblock } = blockCrm();
    const stuck = Array.from({ length: 128 }, () => write());
    const beside = await Promise.all(Array.from({ length: 20 }, () => callOtherService()));
    expect(beside.every(({ status }) => status === 200)).toBe(true);
    unblock();
    await Promise.all(stuck);
    expect(platform.received.length).toBeGreaterThanOrEqual(20);
  });
});

/** Tokens in the formats of the suite: links, mailbox tokens and web forms. */
const linkOf = (workspace: string) => `${workspace.repeat(22)}.${'s'.repeat(43)}`;
const mailboxOf = (workspace: string) => `mbx_${workspace.repeat(32)}_${'s'.repeat(43)}`;
type SentRequest = Parameters<typeof sendRequest>[2];
const submission = (token: string): [string, SentRequest] => [
  '/api/widget/lead',
  { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) },
];
const email = (token: string): [string, SentRequest] => [
  '/api/support-ticket/inbound',
  { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'message/rfc822' }, body: 'Hello' },
];
const page = (path: string): [string, SentRequest] => [path, {}];

describe('a flood of public requests from many addresses', () => {
  test.each([
    ['a web form', submission('a'), submission('b')],
    ['a web form, for its page', page('/api/widget/a'), page('/api/widget/b')],
    [
      'a ticket link',
      page(`/api/support-ticket/public/${linkOf('a')}`),
      page(`/api/support-ticket/public/${linkOf('b')}`),
    ],
    ['a mailbox', email(mailboxOf('a')), email(mailboxOf('b'))],
    ['an operation', page('/api/widget/a'), submission('b')],
  ])('leaves capacity for another one (%s)', async (_, flooded, other) => {
    const { url } = await startAnother({ TRUST_PROXY: '1' });
    const { inside, unblock } = blockCrm();
    const from = ([path, sent]: [string, SentRequest], address: string) =>
      sendRequest(url, path, { ...sent, headers: { ...sent?.headers, 'x-forwarded-for': address } });
    let full = () => {};
    const isFull = new Promise<void>((resolve) => (full = resolve));
    const { watch } = collectRefusals(120, full);
    const flood = Array.from({ length: 200 }, (_, at) => from(flooded, `192.0.2.${at}`).then(watch));
    await isFull;
    const before = inside.length;
    let isAnswered = false;
    const asked = from(other, '198.51.100.1').finally(() => (isAnswered = true));
    while (inside.length === before && !isAnswered) await pause(5);
    unblock();
    expect((await asked).status).toBe(200);
    await Promise.all(flood);
  });
});

describe('slow readers of files', () => {
  test('use no slots of requests, and leave capacity for other downloads', async () => {
    const { url } = await startAnother({ TRUST_PROXY: '1' }, { ...patient, read_ms: 500 });
    const unfinished: ServerResponse[] = [];
    crm.respond = (asked, response) => {
      if (!asked.url?.includes('/download/')) return void response.end('{}');
      unfinished.push(response);
      response.writeHead(200, { 'content-disposition': 'attachment' }).write('the beginning');
    };
    const download = (path: string, address: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request(`${url}${path}`, { headers: { 'x-forwarded-for': address } });
        asked
          .on('response', (response) => resolve(response.on('error', () => undefined).statusCode))
          .on('error', reject);
        asked.end();
      });
    const readers = Array.from({ length: 300 }, (_, at) =>
      download('/api/deal-file/download/a', `192.0.2.${at % 250}`),
    );
    const statuses = await Promise.all(readers);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect((await sendRequest(url, '/api/widget/b')).status).toBe(200);
    expect(await download('/api/deal-file/download/b', '198.51.100.1')).toBe(200);
    for (const response of unfinished) response.end();
  });
});
