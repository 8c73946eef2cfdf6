import { afterAll, describe, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import fc from 'fast-check';
import { guardedLookup, isPublic } from './address.ts';
import { pauseAfter, retryDelay, openOutgoing, retryAfterOf, limitTotalTime } from './outbound-http.ts';

const servers: { close(): unknown }[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function listening<S extends Server | ReturnType<typeof createTcpServer>>(server: S): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const serve = async (answer: RequestListener) => `http://${await listening(createServer(answer))}`;

const trusted_hosts = ['127.0.0.1'];
const outgoing = openOutgoing({ trusted_hosts });
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  );

describe('a call to an external server', () => {
  test('sends the given request and returns the response with any status', async () => {
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, headers } = request;
        response.writeHead(418, { 'x-kettle': 'on' });
        response.end(JSON.stringify({ method, key: headers['x-key'], body: Buffer.concat(chunks).toString() }));
      });
    });
    const answer = await outgoing.call('acme', { url, method: 'PUT', headers: { 'x-key': 'k' }, body: 'Grüße' });
    expect(answer).toMatchObject({ status: 418, headers: { 'x-kettle': 'on' } });
    expect(JSON.parse(answer.text())).toEqual({ method: 'PUT', key: 'k', body: 'Grüße' });
  });

  test('does not follow redirects', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    });
    expect(await outgoing.call('acme', { url })).toMatchObject({ status: 302 });
    expect(asked).toBe(1);
  });

  test('times out without a response, even in the middle of one', async () => {
    const hasty = openOutgoing({ trusted_hosts, whole_ms: 100 });
    const silent = await serve(() => undefined);
    const halting = await serve((_request, response) => response.write('and then'));
    expect(await code(hasty.call('acme', { url: silent }))).toBe('timeout');
    expect(await code(hasty.call('acme', { url: halting }))).toBe('timeout');
  });

  test('is limited to the remaining time of several calls together', async () => {
    const hurried = limitTotalTime(outgoing, 100);
    const silent = await serve(() => undefined);
    const quick = await serve((_request, response) => response.end());
    expect(await code(hurried.call('acme', { url: quick }))).toBe('answered');
    expect(await code(hurried.call('acme', { url: silent }))).toBe('timeout');
    expect(await code(hurried.call('acme', { url: quick }))).toBe('timeout');
  });

  test('fails if no secure connection is established in time', async () => {
    const mute = await listening(createTcpServer((socket) => socket.resume()));
    const hasty = openOutgoing({ trusted_hosts, connect_ms: 100 });
    expect(await code(hasty.call('acme', { url: `https://${mute}` }))).toBe('timeout');
  });

  test('rejects a response of more than 1 MiB', async () => {
    const ten_mib = await serve((_request, response) => response.end(Buffer.alloc(10 * 1_048_576)));
    const one_mib = await serve((_request, response) => response.end(Buffer.alloc(1_048_576)));
    expect(await code(outgoing.call('acme', { url: ten_mib }))).toBe('answer_too_large');
    expect((await outgoing.call('acme', { url: one_mib })).body).toHaveLength(1_048_576);
  });

  test('reports why a server cannot be reached', async () => {
    const plain = await serve((_request, response) => response.end());
    const gone = await serve((request) => request.socket.destroy());
    const other = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const switching = await listening(createTcpServer((socket) => socket.write(other)));
    const babble = await listening(createTcpServer((socket) => socket.end('hello\r\n\r\n')));
    expect(await code(outgoing.call('acme', { url: plain.replace('http', 'https') }))).toBe('certificate');
    expect(await code(outgoing.call('acme', { url: gone }))).toBe('unreachable');
    expect(await code(outgoing.call('acme', { url: `http://${babble}` }))).toBe('malformed_answer');
    expect(await code(outgoing.call('acme', { url: `http://${switching}` }))).toBe('malformed_answer');
    expect(await code(outgoing.call('acme', { url: 'http://' }))).toBe('invalid_url');
    expect(await code(outgoing.call('acme', { url: plain.replace('//', '//name:password@') }))).toBe('invalid_url');
  });

  test('shares four concurrent calls within a workspace, and waits for no other', async () => {
    const open: (() => void)[] = [];
    let most = 0;
    const url = await serve((_request, response) => {
      open.push(() => response.end());
      most = Math.max(most, open.length);
    });
    const until = async (count: number) => {
      while (open.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const ours = Array.from({ length: 50 }, () => outgoing.call('acme', { url }));
    await until(4);
    const theirs = outgoing.call('globex', { url });
    await until(5);
    expect(most).toBe(5);
    open.pop()!();
    await theirs;
    for (let ended = 0; ended < 50; ended += 1) {
      await until(1);
      open.shift()!();
    }
    expect((await Promise.all(ours)).every(({ status }) => status === 200)).toBe(true);
    expect(most).toBe(5);
  });

  test('is rejected after waiting too long behind servers that do not respond', async () => {
    const hasty = openOutgoing({ trusted_hosts, whole_ms: 100 });
    const url = await serve(() => undefined);
    const codes = await Promise.all(Array.from({ length: 20 }, () => code(hasty.call('umbrella', { url }))));
    expect(codes.slice(0, 4)).toEqual(Array(4).fill('timeout'));
    expect(codes.at(-1)).toBe('busy');
  });

  test('is rejected when too many calls of its workspace are waiting', async () => {
    const open: (() => void)[] = [];
    const url = await serve((_request, response) => open.push(() => response.end()));
    const calls = Array.from({ length: 69 }, () => code(outgoing.call('initech', { url })));
    expect(await calls[68]).toBe('busy');
    for (let ended = 0; ended < 68; ended += 1) {
      while (open.length === 0) await new Promise((resolve) => setImmediate(resolve));
      open.shift()!();
    }
    expect(new Set(await Promise.all(calls.slice(0, 68)))).toEqual(new Set(['answered']));
  });
});

describe('a non-public address', () => {
  test.each([
    'https://127.0.0.2/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0x7f000002/',
    'https://2130706434/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.1.2.3:8443/',
    'https://0.0.0.0/',
  ])('is not called: %s', async (url) => {
    expect(await code(outgoing.call('acme', { url }))).toBe('private_address');
  });

  test('is not called through a host name either', async () => {
    let connections = 0;
    const host = await listening(createTcpServer(() => (connections += 1)));
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const url = `https://calendar.example:${host.split(':')[1]}/`;
    expect(await code(openOutgoing({ resolve }).call('acme', { url }))).toBe('private_address');
    expect(connections).toBe(0);
  });

  test('is detected when a host name starts to resolve to it', async () => {
    const answers = ['93.184.215.14', '10.0.0.7'];
    const lookup = guardedLookup(() => Promise.resolve([{ address: answers.shift()!, family: 4 }]));
    const ask = () =>
      new Promise((resolve) => lookup('calendar.example', {}, (error, address) => resolve(error ?? address)));
    expect(await ask()).toBe('93.184.215.14');
    expect(await ask()).toMatchObject({ code: 'private_address' });
  });

  test('rejects the public addresses of the same name too', async () => {
    const both = [
      { address: '93.184.215.14', family: 4 },
      { address: 'fd00::1', family: 6 },
    ];
    const lookup = guardedLookup(() => Promise.resolve(both));
    const asked = new Promise((resolve) => lookup('calendar.example', { all: true }, (error) => resolve(error)));
    expect(await asked).toMatchObject({ code: 'private_address' });
  });

  test('is in one of the special ranges', () => {
    const special =
      '127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 169.254.1.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 0.0.0.0 :: ::1 ::7f00:1 ::10.0.0.1 fe80::1 fec0::1 fc00::1 ff02::1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1 2001:db8::1 3fff::1 100::1 nonsense';
    expect(special.split(' ').filter(isPublic)).toEqual([]);
    expect(['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'].filter(isPublic)).toHaveLength(4);
  });

  test('is called over HTTPS only, unless the operator trusts it', async () => {
    expect(await code(outgoing.call('acme', { url: 'http://93.184.215.14/' }))).toBe('not_https');
    expect(await code(outgoing.call('acme', { url: 'ftp://127.0.0.1/' }))).toBe('not_https');
  });
});

describe('a failed call', () => {
  test('is retried after 1, 5 and 25 seconds, give or take 20 %, and not again', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        const waits = [1, 2, 3, 4].map((attempts) => retryDelay(attempts, { random }));
        for (const [at, seconds] of [1, 5, 25].entries()) {
          expect(waits[at]).toBeGreaterThanOrEqual(seconds * 0.8 - 1e-9);
          expect(waits[at]).toBeLessThanOrEqual(seconds * 1.2 + 1e-9);
        }
        expect(waits[3]).toBeUndefined();
      }),
    );
  });

  test('waits as long as the server requests, at most an hour', () => {
    const now = new Date('2026-06-10T08:00:00Z');
    const after = (said: string) => retryAfterOf({ 'retry-after': said }, now);
    expect([after('90'), after('Wed, 10 Jun 2026 08:02:00 GMT'), after('86400'), after('soon')]).toEqual([
      90,
      120,
      3_600,
      undefined,
    ]);
    expect(after('Wed, 10 Jun 2026 07:00:00 GMT')).toBe(0);
    expect(retryAfterOf({}, now)).toBeUndefined();
    expect(retryDelay(1, { retry_after_s: 90, random: 0.5 })).toBe(90);
    expect(retryDelay(3, { retry_after_s: 2, random: 0.5 })).toBe(25);
  });

  test('opens the circuit breaker when it is the fifth in a row', () => {
    expect([0, 4, 5, 6].map(pauseAfter)).toEqual([undefined, undefined, 60, 60]);
  });
});
