/** Gateways that count together in PostgreSQL, and count alone while it is down. */
import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { sendRequest } from '../../test/http-client.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';

// So long that on a busy machine no gateway falls back to counting alone.
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
  while ((await counted("SELECT to_regclass('rate_limits') IS NULL AS missing")).some(({ missing }) => missing))
    await pause(10);
  return started;
};
/** A statement on the database of the limits. */
async function counted(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

describe('two gateways on one database', () => {
  test('admit together what the limit allows', async () => {
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

  test('count no login that succeeds', async () => {
    const gateways = [await counting({ login: 3 }), await counting({ login: 3 })];
    for (let at = 0; at < 8; at += 1) {
      const { status } = await sendRequest(gateways[at % 2]!.url, '/api/login', { method: 'POST', body: '{}' });
      expect(status).toBe(200);
      // A successful attempt is given back after the answer.
      while ((await counted("SELECT FROM rate_limits WHERE key LIKE 'login%' AND points > 0")).length > 0)
        await pause(10);
    }
  });

  test('count together what a payment provider sends and is refused', async () => {
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
      // It is counted after the answer.
      while (
        (await counted(`SELECT FROM rate_limits WHERE key LIKE 'unsigned%' AND points > ${Math.min(at, 1)}`)).length ===
        0
      )
        await pause(10);
    }
    delete platform.respond;
    expect(statuses).toEqual([401, 401, 429]);
  });

  test('forget nothing when one of them starts anew, and log nothing of it to disk', async () => {
    const { authorization } = signIn();
    const first = await counting({ token: 2 });
    for (let at = 0; at < 2; at += 1) await sendRequest(first.url, '/api/leads', { headers: { authorization } });
    await first.stop();
    const second = await counting({ token: 2 });
    expect((await sendRequest(second.url, '/api/leads', { headers: { authorization } })).status).toBe(429);
    const kept = await counted(`SELECT relpersistence FROM pg_class WHERE relname = 'rate_limits'`);
    expect(kept).toEqual([{ relpersistence: 'u' }]);
  });
});

describe('a database that does not answer', () => {
  const counting = (limits: object, database_url: string) =>
    impatient.startAnother({ RATE_LIMITS: JSON.stringify(limits), RATE_LIMIT_DATABASE_URL: database_url });

  /** A server that accepts connections and never answers. */
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

  test('delays requests for a moment only, and the gateway counts alone', async () => {
    const silent = await silentServer();
    const { url: base, stop } = await counting({ token: 3 }, silent.url);
    const { authorization } = impatient.signIn();
    const statuses: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      // The database stays silent until all are answered.
      const { status, headers } = await sendRequest(base, '/api/leads', { headers: { authorization } });
      expect(headers['ratelimit']).toMatch(/^"token"; r=\d; t=\d+/);
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    silent.stop();
    await stop();
  });

  test('because there is none does not keep the gateway from starting', async () => {
    const { url: base } = await counting({ token: 1 }, 'postgres://nobody@127.0.0.1:1/none');
    const { authorization } = impatient.signIn();
    const asking = () => sendRequest(base, '/api/leads', { headers: { authorization } });
    expect([(await asking()).status, (await asking()).status]).toEqual([200, 429]);
  });
});
