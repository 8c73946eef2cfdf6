/** Connections: the number for each address is limited, and a 429 closes its connection. */
import { Agent, request, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { gatewayFixture } from '../test/gateway-fixture.ts';
import { listen } from './server.ts';

const { startAnother, crm, signIn } = await gatewayFixture();
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** Opens a connection to the gateway. @returns the data received until it closes, and a function to close it */
function open(url: string, from: string) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  const answered = new Promise<string>((resolve) => socket.once('data', () => resolve(text)));
  return { socket, closed, answered };
}
const ASK = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';

describe('the connections of one address', () => {
  test('are limited', async () => {
    const { url } = await startAnother({ CONNECTIONS_PER_ADDRESS: '3' });
    const held = Array.from({ length: 3 }, () => open(url, '127.0.0.1'));
    held[2]!.socket.write(ASK);
    expect(await held[2]!.answered).toContain('HTTP/1.1 404');
    const refused = await open(url, '127.0.0.1').closed;
    expect(refused).toMatch(/^HTTP\/1\.1 429 .*connection: close\r\n/s);
    expect(refused).toContain('"code":"too_many_connections"');
    const elsewhere = open(url, '127.0.0.2');
    elsewhere.socket.write(ASK);
    expect(await elsewhere.answered).toContain('HTTP/1.1 404');
    held[0]!.socket.destroy();
    await held[0]!.closed;
    for (;;) {
      const again = open(url, '127.0.0.1');
      again.socket.write(ASK);
      // The gateway notices the closed connection a moment later.
      if ((await again.answered).includes('HTTP/1.1 404')) break;
    }
  });

  test('are not limited if they come from our own proxy', async () => {
    const { url } = await startAnother({ CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY: '1' });
    const both = [open(url, '127.0.0.1'), open(url, '127.0.0.1')];
    for (const { socket } of both) socket.write(ASK);
    for (const { answered } of both) expect(await answered).toContain('HTTP/1.1 404');
  });
});

describe('the connections of all addresses', () => {
  const ALL = 6;
  /** Starts a server that answers only requests without a path, and reports when it has received a request. */
  async function start() {
    let received = 0;
    const app: RequestListener = (asked, reply) => {
      received += 1;
      if (asked.url === '/') reply.end('answered');
    };
    const endpoint = { host: '127.0.0.1', port: 0, per_address: ALL, all: ALL };
    const { server, port } = await listen(app, endpoint);
    servers.push(server);
    const until = async (count: number) => {
      while (received < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    return { url: `http://127.0.0.1:${port}`, until };
  }
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
  });
  const connected = ({ socket }: ReturnType<typeof open>) =>
    new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  const ask = (path: string, head = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${head}\r\n`;

  test('close an idle connection of the address with the most for another address', async () => {
    const { url } = await start();
    const idle = [];
    for (let at = 0; at < ALL; at += 1) {
      const one = open(url, at < 4 ? '127.0.0.2' : `127.0.0.${at}`);
      await connected(one);
      idle.push(one);
    }
    for (const expected of [0, 1]) {
      const newcomer = open(url, '127.0.0.9');
      newcomer.socket.write(ask('/'));
      expect(await newcomer.answered).toContain('answered');
      expect(await idle[expected]!.closed).toBe('');
    }
    expect(idle.slice(2).some(({ socket }) => socket.destroyed)).toBe(false);
  });

  test('lose one that is still receiving its request, but none with a running request', async () => {
    const { url, until } = await start();
    const busy = Array.from({ length: ALL - 1 }, () => open(url, '127.0.0.2'));
    for (const { socket } of busy) socket.write(ask('/runs'));
    const slow = open(url, '127.0.0.2');
    slow.socket.write(ask('/receives', 'Content-Length: 9\r\n'));
    await until(ALL);
    const newcomer = open(url, '127.0.0.9');
    newcomer.socket.write(ask('/'));
    expect(await newcomer.answered).toContain('answered');
    await slow.closed;
    newcomer.socket.destroy();
    const further = [open(url, '127.0.0.7'), open(url, '127.0.0.8')];
    for (const { socket } of further) socket.write(ask('/runs'));
    await Promise.race(further.map(({ closed }) => closed));
    expect(busy.some(({ socket }) => socket.destroyed)).toBe(false);
  });
});

describe('a 429', () => {
  const connection = (url: string, authorization: string) =>
    new Promise<string | undefined>((resolve, reject) => {
      const agent = new Agent({ keepAlive: true });
      request(`${url}/api/leads`, { headers: { authorization }, agent }, (response) => {
        response.resume().on('end', () => agent.destroy());
        resolve(response.headers.connection);
      })
        .on('error', reject)
        .end();
    });

  test('closes its connection', async () => {
    const { url } = await startAnother({ RATE_LIMITS: '{"token":1}' });
    const { authorization } = signIn();
    expect(await connection(url, authorization)).toBe('keep-alive');
    expect(await connection(url, authorization)).toBe('close');
  });

  test.each([
    ['closes its connection', {}, 'close'],
    ['keeps the connection of a trusted proxy open', { TRUST_PROXY: '1' }, 'keep-alive'],
  ])('%s if it comes from a service', async (_, more, kept) => {
    crm.respond = (_request, response) => void response.writeHead(429, { 'retry-after': '7' }).end('{}');
    const { url } = await startAnother(more);
    expect(await connection(url, signIn().authorization)).toBe(kept);
    delete crm.respond;
  });

  test('keeps the connection of a trusted proxy open', async () => {
    const { url } = await startAnother({ RATE_LIMITS: '{"token":1}', TRUST_PROXY: '1' });
    const { authorization } = signIn();
    await connection(url, authorization);
    expect(await connection(url, authorization)).toBe('keep-alive');
  });
});
