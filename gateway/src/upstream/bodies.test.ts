/** Tests of bodies that never end: they use connections of their sender, but no slot of a bulkhead. */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendRequest } from '../../test/http-client.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

const { gateway, startAnother, crm, platform, signIn } = await gatewayFixture({
  deadlines: { read_ms: 3_000, write_ms: 3_000, print_ms: 3_000, transfer_ms: 20_000, batch_ms: 600_000 },
});
const sockets = new Set<Socket>();
const client = signIn();
let other: SignedInUser;
beforeAll(() => {
  other = signIn();
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

const FORM = 'Content-Type: multipart/form-data; boundary=x';
const JSON_BODY = 'Content-Type: application/json';

/** Starts a request whose body never ends. @returns the response, after the connection closes */
function begin(base: string, path: string, fields: string[], start = 'x'): Promise<string> {
  const { port } = new URL(base);
  const head = [`POST ${path} HTTP/1.1`, 'Host: suite.test', ...fields, 'Transfer-Encoding: chunked', '', ''];
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1');
    sockets.add(socket);
    socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.write(`${head.join('\r\n')}${start.length.toString(16)}\r\n${start}\r\n`);
  });
}
const authorized = ({ authorization }: SignedInUser) => `Authorization: ${authorization}`;
const many = (asking: () => Promise<string>) => Array.from({ length: 130 }, asking);
const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);

/** Calls the service under attack from another workspace. */
async function callsOfOthers(times: number): Promise<number[]> {
  const headers = { authorization: other.authorization, 'content-type': 'application/json' };
  const statuses: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const answers = await Promise.all([
      sendRequest(gateway.url, '/api/user', { headers }),
      sendRequest(gateway.url, '/api/edit-profile', { method: 'POST', headers, body: '{}' }),
      sendRequest(gateway.url, '/api/upload-photos', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
        body: Buffer.alloc(300_000, 'x'),
      }),
    ]);
    statuses.push(...answers.map(({ status }) => status));
    await pause(20);
  }
  return statuses;
}

describe('an attack with bodies that never end', () => {
  test('does not affect the calls of other clients if it uploads files', async () => {
    const attack = many(() => begin(gateway.url, '/api/upload-photos', [authorized(client), FORM]));
    await pause(200);
    expect(new Set(await callsOfOthers(20))).toEqual(new Set([200]));
    const ended = await Promise.all(attack);
    expect(ended.every((text) => [408, 503].includes(statusOf(text)))).toBe(true);
    expect(new Set(await callsOfOthers(1))).toEqual(new Set([200]));
  }, 240_000);

  test('reaches no service if it refreshes sessions without authentication', async () => {
    platform.received.length = 0;
    let reached = 0;
    platform.server.on('connection', () => (reached += 1));
    const attack = many(() => begin(gateway.url, '/api/refresh', [JSON_BODY]));
    await pause(200);
    expect(reached).toBe(0);
    expect(new Set(await callsOfOthers(20))).toEqual(new Set([200]));
    const ended = await Promise.all(attack);
    expect(new Set(ended.map(statusOf))).toEqual(new Set([408]));
    expect(platform.received.filter(({ url }) => url === '/api/refresh')).toEqual([]);
  }, 240_000);
});

describe('a body', () => {
  test('reaches the service whole, in any chunking, if it is small', async () => {
    crm.received.length = 0;
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    sockets.add(socket);
    const head = ['POST /api/lead/create HTTP/1.1', 'Host: a', authorized(other), 'Content-Length: 200000', '', ''];
    socket.write(head.join('\r\n'));
    for (const sign of 'abcde') {
      socket.write(sign.repeat(40_000));
      await pause(10);
    }
    await new Promise((resolve) => socket.once('data', resolve));
    expect(crm.received.map(({ body, headers }) => [body, headers['content-length']])).toEqual([
      [[...'abcde'].map((sign) => sign.repeat(40_000)).join(''), '200000'],
    ]);
  });

  test('gets 413 above 256 KiB unless it is an upload, with or without a length', async () => {
    crm.received.length = 0;
    const headers = { authorization: other.authorization, 'content-type': 'application/json' };
    const body = Buffer.alloc(256 * 1024 + 1, ' ');
    const told = await sendRequest(gateway.url, '/api/lead/create', { method: 'POST', headers, body });
    expect(told).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    const untold = await begin(gateway.url, '/api/lead/create', [authorized(other), JSON_BODY], ' '.repeat(300_000));
    expect(statusOf(untold)).toBe(413);
    expect(crm.received).toEqual([]);
  }, 240_000);

  test('is streamed if it is uploaded at the minimum rate', async () => {
    const { url } = await startAnother();
    let got = 0;
    let begun = false;
    crm.respond = (request, response) => {
      request.on('data', (chunk: Buffer) => (got += chunk.length));
      request.on('end', () => response.end('{}'));
    };
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    sockets.add(socket);
    const head = ['POST /api/lead-file/store/1 HTTP/1.1', 'Host: a', authorized(other), FORM, 'Content-Length: 600000'];
    socket.write([...head, '', ''].join('\r\n'));
    const answered = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    for (let at = 0; at < 5; at += 1) {
      begun ||= got > 0;
      socket.write(Buffer.alloc(120_000, 'x'));
      await pause(1_000);
    }
    expect([begun, statusOf(await answered)]).toEqual([true, 200]);
    delete crm.respond;
  }, 240_000);
});
