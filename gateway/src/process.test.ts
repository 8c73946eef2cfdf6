/** Tests of the gateway process: start, health, log and shutdown. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@suite/local/ports';
import { sendRequest } from '../test/http-client.ts';
import { keysOf } from '../test/keys.ts';
import { gatewayFixture } from '../test/gateway-fixture.ts';
import { readRoutes } from './request/routing.ts';

const { services } = readRoutes(new URL('routes.json', import.meta.url));
const { crm, platform, introspection, nats, signIn } = await gatewayFixture();
const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  delete crm.respond;
});

const keys = mkdtempSync(join(tmpdir(), 'gateway-keys-'));
mkdirSync(join(keys, 'trusted'));
writeFileSync(join(keys, 'private.pem'), keysOf('gateway').private_key.export({ type: 'pkcs8', format: 'pem' }));
for (const name of ['gateway', 'platform', 'crm']) {
  const pem = createPublicKey(keysOf(name).private_key).export({ type: 'spki', format: 'pem' });
  writeFileSync(join(keys, 'trusted', `${name}.pem`), pem);
}

/** Starts the process. */
function launch(environment: Record<string, string | undefined>) {
  const child = spawn(process.execPath, [main], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output, ended };
}

async function environment() {
  return {
    PORT: String(await freePort()),
    OPERATIONS_PORT: String(await freePort()),
    NATS_URL: nats.url,
    KEYS_DIR: keys,
    SHUTDOWN_GRACE_MS: '0',
    // The other services share crm's fake.
    ...Object.fromEntries(services.map((name) => [`UPSTREAM_${name.toUpperCase()}`, crm.url])),
    UPSTREAM_PLATFORM: platform.url,
    RPC_PLATFORM: introspection.address,
  };
}

/** Starts the process and waits until it is ready. */
async function running(more: Record<string, string> = {}) {
  const variables = { ...(await environment()), ...more };
  const started = launch(variables);
  const url = `http://127.0.0.1:${variables.PORT}`;
  const operations_url = `http://127.0.0.1:${variables.OPERATIONS_PORT}`;
  for (let tries = 0; tries < 400; tries += 1) {
    const ready = await sendRequest(operations_url, '/health/ready').catch(() => undefined);
    if (ready?.status === 200) return { ...started, url, operations_url };
    await pause(50);
  }
  throw new Error(`The gateway is not ready: ${started.output.stderr}`);
}

describe('a process that cannot start', () => {
  test.each([
    ['PORT', undefined, 'PORT is missing'],
    ['KEYS_DIR', '/nowhere', 'gateway cannot start: '],
  ])('exits with one sentence if %s is %j', async (name, value, sentence) => {
    const { ended, output } = launch({ ...(await environment()), [name]: value });
    expect(await ended).toBe(1);
    expect(output.stderr).toContain(sentence);
    expect(output.stderr.trim().split('\n')).toHaveLength(1);
    expect(output.stdout).toBe('');
  });

  test('exits with an error if the port is in use', async () => {
    const { ended, output } = launch({ ...(await environment()), PORT: String(crm.port) });
    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/^gateway cannot start: .*EADDRINUSE/);
  });
});

describe('the process', () => {
  test('reports liveness, readiness and metrics on a separate port', async () => {
    const { url, operations_url } = await running();
    const { authorization } = signIn();
    await sendRequest(url, '/api/leads', { headers: { authorization } });
    expect((await sendRequest(operations_url, '/health/live')).status).toBe(200);
    const { text } = await sendRequest(operations_url, '/metrics');
    expect(text).toMatch(/request_duration_seconds_count\{operation="GET \/api\/leads",status="200"\} 1/);
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expect((await sendRequest(url, path)).status).toBe(404);
  });

  test('logs one line for each request, without secrets', async () => {
    const { url, output, child, ended } = await running();
    const kim = signIn();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { authorization: kim.authorization, 'x-request-id': 'the-request', traceparent };
    await sendRequest(url, '/api/leads?q=a-secret-word', { headers });
    child.kill('SIGTERM');
    await ended;
    const lines = output.stdout.split('\n').filter((line) => line.includes('"Request"'));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        request_id: 'the-request',
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        method: 'GET',
        path: '/api/leads',
        status: 200,
        duration_ms: expect.any(Number),
        service: 'crm',
        user_id: kim.user_id,
        workspace_id: kim.workspace_id,
        address: '127.0.0.1',
      }),
    ]);
    expect(output.stdout).not.toContain('a-secret-word');
    expect(output.stdout).not.toContain(kim.authorization.slice(-20));
  });

  test('logs the pattern of a path without its variables, even for unknown paths', async () => {
    const { url, output, child, ended } = await running();
    const paths = [
      '/api/user-photo/SECRET',
      '/api/lead-file/SECRET/x',
      '/api/SECRET',
      '/SECRET',
      '/api//SECRET',
      '/docs',
    ];
    for (const path of paths) await sendRequest(url, path);
    await sendRequest(url, '/api/lead/show/SECRET', { method: 'PATCH' });
    child.kill('SIGTERM');
    await ended;
    const lines = output.stdout.split('\n').filter((line) => line.includes('"Request"'));
    expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual([
      '/api/user-photo/{token}',
      '/api/lead-file/…',
      '/api/…',
      '/…',
      '/…',
      '/docs',
      '/api/lead/show/…',
    ]);
    expect(output.stdout).not.toContain('SECRET');
  });

  test('adds the trace of a request to all its log lines', async () => {
    const { url, output, child, ended } = await running();
    crm.respond = (request) => request.socket.destroy();
    const { authorization } = signIn();
    await sendRequest(url, '/api/lead/create', { method: 'POST', body: '{}', headers: { authorization } });
    child.kill('SIGTERM');
    await ended;
    const lines = output.stdout.split('\n').filter((line) => line.includes('"request_id"'));
    const traces = lines.map((line) => (JSON.parse(line) as { trace_id: string }).trace_id);
    expect(traces).toHaveLength(2);
    expect(traces[0]).toMatch(/^[\da-f]{32}$/);
    expect(traces[1]).toBe(traces[0]);
  });

  test.each([['SIGTERM'], ['SIGINT']] as const)(
    'finishes its requests on %s, accepts no new connections, and ends',
    async (signal) => {
      const { url, operations_url, child, ended } = await running({ SHUTDOWN_GRACE_MS: '700' });
      const { authorization } = signIn();
      const agent = new Agent({ keepAlive: true });
      let reached = () => {};
      const asked = new Promise<void>((resolve) => (reached = resolve));
      crm.respond = (_request, response) => {
        reached();
        setTimeout(() => response.end('{"slow":true}'), 1_200);
      };
      const slow = new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
        request(`${url}/api/leads`, { headers: { authorization }, agent }, (response) => {
          response
            .resume()
            .on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
        })
          .on('error', reject)
          .end();
      });
      await asked;
      child.kill(signal);
      await pause(100);
      // The process is no longer ready and still serves load balancers that have not noticed.
      expect((await sendRequest(operations_url, '/health/ready')).status).toBe(503);
      const meanwhile = await sendRequest(url, '/api/user', { headers: { authorization } });
      expect(meanwhile).toMatchObject({ status: 200, headers: { connection: 'close' } });
      await pause(750);
      await expect(sendRequest(url, '/api/user', { headers: { authorization } })).rejects.toThrow('ECONNREFUSED');
      expect(await slow).toEqual({ status: 200, connection: 'close' });
      expect(await ended).toBe(0);
      agent.destroy();
    },
  );

  test('does not wait for idle connections', async () => {
    const { url, child, ended } = await running();
    const agent = new Agent({ keepAlive: true });
    const { authorization } = signIn();
    await new Promise<void>((resolve) => {
      request(`${url}/api/leads`, { headers: { authorization }, agent }, (response) => {
        response.resume().on('end', () => resolve());
      }).end();
    });
    const start = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(performance.now() - start).toBeLessThan(3_000);
    agent.destroy();
  });
});
