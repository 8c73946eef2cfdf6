/** Tests of gateways that count together in PostgreSQL, and on their own during an outage. */
import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { sendRequest } from '../../test/http-client.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

// Long enough that no gateway on a busy machine falls back to counting alone.
const { startAnother, platform, signIn } = await gatewayFixture({ counting_ms: 60_000 });
const impatient = await gatewayFixture();
const admin_url = process.env['SUITE_TEST_ADMIN_URL'] ?? '';
const database = `limits_${randomUUID().slice(0, 8)}`;
const url = new URL(admin_url);
url.pathname = `/${database}`;

const admin = new pg.Client({ connectionString: admin_url });
beforeAll(async () => {
  await admin.connect();
  await admin.query(`CREATE DATABASE "${database}"`);
});
afterAll(async () => {
  await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
  await admin.end();
});

const counting = async (limits: object) => {
  const started = await startAnother({ RATE_LIMITS: JSON.stringify(limits), RATE_LIMIT_DATABASE_URL: url.href });
  while ((await countedRequests("SELECT to_regclass('rate_limits') IS NULL AS missing")).some(({ missing }) => missing))
    await pause(10);
  return started;
};
/** Runs a statement on the rate-limit database. */
async function countedRequests(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

describe('two gateways with a shared database', () => {
  test('admit the published limit in total', async () => {
    const gateways = [await counting({ token: 20 }), await counting({ token: 20 })];
    const sendAll = (authorization: string, size: number) =>
      Promise.all(
        Array.from({ length: size }, (_, at) =>
          sendRequest(gateways[at % 2]!.url, '/api/leads', { headers: { authorization } }),
        ),
      );
    const answers = await sendAll(signIn().authorization, 60);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(40);
    for (const { headers } of refused) {
      expect(headers['ratelimit']).toMatch(/^"token"; r=0; t=\d+$/);
      expect(Number(headers['retry-after'])).toBeGreaterThan(50);
    }
  });

  test('do not count successful logins', async () => {
    const gateways = [await counting({ login: 3 }), await counting({ login: 3 })];
    for (let at = 0; at < 8; at += 1) {
      const { status } = await sendRequest(gateways[at % 2]!.url, '/api/login', { method: 'POST', body: '{}' });
      expect(status).toBe(200);
      // The limit releases a successful attempt after the response.
      while ((await countedRequests("SELECT FROM rate_limits WHERE key LIKE 'login%' AND points > 0")).length > 0)
        await pause(10);
    }
  });

  test('share the count of rejected payment provider events', async () => {
    const gateways = [await counting({ unsigned: 2 }), await counting({ unsigned: 2 })];
    platform.respond = (request, response) => {
      request.resume();
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"invalid_signature"}');
    };
    const statuses: number[] = [];
    for (let at = 0; at < 3; at += 1) {
      const base = gateways[at % 2]!.url;
      const headers = { 'content-type': 'application/json' };
      statuses.push(
        (await sendRequest(base, '/api/wl/webhook-callback', { method: 'POST', body: '{}', headers })).status,
      );
      // The request is counted after the response.
      while (
        (await countedRequests(`SELECT FROM rate_limits WHERE key LIKE 'unsigned%' AND points > ${Math.min(at, 1)}`))
          .length === 0
      )
        await pause(10);
    }
    delete platform.respond;
    expect(statuses).toEqual([401, 401, 429]);
  });

  test('keep counts after the restart of one gateway, and write no WAL', async () => {
    const { authorization } = signIn();
    const first = await counting({ token: 2 });
    for (let at = 0; at < 2; at += 1) await sendRequest(first.url, '/api/leads', { headers: { authorization } });
    await first.stop();
    const second = await counting({ token: 2 });
    expect((await sendRequest(second.url, '/api/leads', { headers: { authorization } })).status).toBe(429);
    const kept = await countedRequests(`SELECT relpersistence FROM pg_class WHERE relname = 'rate_limits'`);
    expect(kept).toEqual([{ relpersistence: 'u' }]);
  });
});

describe('an unresponsive rate-limit database', () => {
  const counting = (limits: object, database_url: string) =>
    impatient.startAnother({ RATE_LIMITS: JSON.stringify(limits), RATE_LIMIT_DATABASE_URL: database_url });

  /** Starts a server that accepts connections and never responds. */
  async function silentServer() {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`,
      stop() {
        for (const socket of sockets) socket.destroy();
        server.close();
      },
    };
  }

  test('delays requests briefly, then the gateway counts on its own', async () => {
    const silent = await silentServer();
    const { url: base, stop } = await counting({ token: 3 }, silent.url);
    const { authorization } = impatient.signIn();
    const statuses: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      // The database stays unresponsive until all requests have a response.
      const { status, headers } = await sendRequest(base, '/api/leads', { headers: { authorization } });
      expect(headers['ratelimit']).toMatch(/^"token"; r=\d; t=\d+/);
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    silent.stop();
    await stop();
  });

  test('does not prevent the gateway from starting if it is missing', async () => {
    const { url: base } = await counting({ token: 1 }, 'postgres://nobody@127.0.0.1:1/none');
    const { authorization } = impatient.signIn();
    const asking = () => sendRequest(base, '/api/leads', { headers: { authorization } });
    expect([(await asking()).status, (await asking()).status]).toEqual([200, 429]);
  });
});
