import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { isAlive, fakeProcesses, temporaryDirectory, writeProgram } from './fixtures/programs.ts';
import { planSuite, portsOf, type SuiteOptions } from './plan.ts';
import { withFreePorts } from './ports.ts';
import { type Suite, startSuite } from './suite.ts';

// Each test starts a durable PostgreSQL, some of them several.
jest.setTimeout(120_000);

describe('a suite', () => {
  let place: ReturnType<typeof temporaryDirectory>;
  let running: Suite[];
  let said: string[];

  beforeEach(() => {
    place = temporaryDirectory();
    running = [];
    said = [];
  });

  afterEach(async () => {
    for (const suite of running) await suite.stop();
    place.remove();
  });

  async function start(options: SuiteOptions = {}): Promise<Suite> {
    const suite = await startSuite({
      rows: fakeProcesses(place.path),
      data: `${place.path}/data`,
      port: 'free',
      say: (line) => said.push(line),
      ...options,
    });
    running.push(suite);
    return suite;
  }

  /** Claims a hundred ports that no other suite plans with until they are released. */
  async function freePorts(): Promise<{ port: number; release(): void }> {
    const { plan, release } = await withFreePorts(() => planSuite({ port: 'free' }), portsOf);
    return { port: plan.port, release };
  }

  /** Returns fakes whose demo is a program. The demo of crm comes after the demo of platform. */
  const withDemo = (program: string) =>
    fakeProcesses(place.path).map((row) => {
      const needs = row.name === 'crm' ? ['platform'] : [];
      return row.service ? { ...row, demo: [{ name: row.name, program, needs }] } : row;
    });

  const pidsOf = (suite: Suite) => Object.values(suite.processes).map((each) => each.pid());

  async function environmentOf(suite: Suite, name: string): Promise<Record<string, string>> {
    const reply = await fetch(String(suite.processes[name]?.url));
    return (await reply.json()) as Record<string, string>;
  }

  test('starts all processes, gives each the addresses of the others, and ends all', async () => {
    const suite = await start({ replicas: { crm: 2 } });
    const crm = await environmentOf(suite, 'crm-2');
    expect(Object.keys(suite.processes)).toEqual(['postgres', 'nats', 'platform', 'crm', 'crm-2', 'gateway']);
    expect(crm['RPC_PLATFORM']).toBe(suite.processes['platform']?.grpc);
    expect(crm['DATABASE_URL']).toBe(suite.databases['crm']);
    expect((await environmentOf(suite, 'gateway'))['UPSTREAM_CRM']).toBe(suite.processes['crm']?.url);
    expect(said.map((line) => line.slice(0, 6))).toEqual(['✓ Keys', '✓ Post', '✓ NATS', '✓ Data', '✓ Proc']);
    const pids = pidsOf(suite);
    await suite.stop();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('restarts every killed process on the same data, and reports the restart', async () => {
    const suite = await start();
    await statement(suite, 'create table kept (word text)');
    await statement(suite, "insert into kept values ('safe')");
    for (const name of ['crm', 'nats', 'postgres', 'gateway']) {
      const before = suite.processes[name]?.pid();
      suite.processes[name]?.kill();
      await suite.processes[name]?.ready();
      expect(suite.processes[name]?.pid()).not.toBe(before);
      expect(said).toContain(`${name} ended (SIGKILL); it is started again in 0.25 s`);
    }
    expect(await statement(suite, 'select word from kept')).toEqual([{ word: 'safe' }]);
    expect((await fetch(`${suite.processes['gateway']?.operations_url}/health/ready`)).status).toBe(200);
  });

  test('keeps keys and data for the next start, and deletes them on a reset', async () => {
    const first = await start();
    await statement(first, 'create table kept (word text)');
    await first.stop();
    const second = await start();
    expect(second.databases['crm']?.replace(/:\d+\//, '')).toBe(first.databases['crm']?.replace(/:\d+\//, ''));
    expect(await statement(second, 'select word from kept')).toEqual([]);
    await second.stop();
    const third = await start({ reset: true });
    await expect(statement(third, 'select word from kept')).rejects.toThrow('does not exist');
  });

  test('does not share its data with a second suite', async () => {
    const suite = await start();
    await expect(start()).rejects.toThrow('A suite is running on');
    await expect(start({ reset: true })).rejects.toThrow('A suite is running on');
    expect(pidsOf(suite).every(isAlive)).toBe(true);
  });

  test('names a taken port and the process that needs it, before starting anything', async () => {
    const { port, release } = await freePorts();
    const other = createServer().listen(port + 20, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    await expect(start({ port })).rejects.toThrow(`Port ${port + 20} is taken, and crm needs it`);
    expect(said).toEqual([]);
    other.close();
    release();
  });

  test('reports in one sentence why a process does not start, and leaves nothing running', async () => {
    const { port, release } = await freePorts();
    const broken = start({ port, environment: { MISTAKE: 'KEYS_DIR is missing.' } });
    await expect(broken).rejects.toThrow(/^(platform|crm|gateway) does not start: KEYS_DIR is missing\.$/);
    await expect(fetch(`http://127.0.0.1:${port + 91}`)).rejects.toThrow('fetch failed');
    const again = await start({ port });
    expect(again.url).toBe(`http://localhost:${port}`);
    release();
  });

  test('plans with ports that no other suite has claimed, even before it listens on them', async () => {
    const taken = await freePorts();
    const other = await freePorts();
    other.release();
    const wishes = [taken.port, other.port];
    const found = await withFreePorts(() => planSuite({ port: wishes.shift() ?? 'free' }), portsOf);
    expect(found.plan.port).toBe(other.port);
    found.release();
    taken.release();
    const again = await withFreePorts(() => planSuite({ port: taken.port }), portsOf);
    expect(again.plan.port).toBe(taken.port);
    again.release();
  });

  test('creates the demo workspace once, with a part from each service', async () => {
    const seed = writeProgram(
      place.path,
      'seed.mjs',
      `import { appendFileSync, writeFileSync } from 'node:fs';
       export async function makeDemo({ DEMO_FILE, HTTP_PORT }) {
         writeFileSync(DEMO_FILE, JSON.stringify({ password: 'pw', logins: [] }));
         appendFileSync('${place.path}/seeded', HTTP_PORT.slice(-2) + ' ');
       }`,
    );
    const rows = withDemo(seed);
    const first = await start({ rows, replicas: { crm: 2 } });
    expect(first.demo).toEqual({ password: 'pw', logins: [] });
    await first.stop();
    await start({ rows });
    expect(readFileSync(`${place.path}/seeded`, 'utf8')).toBe('10 20 ');
  });

  test('creates demo parts in parallel, and ends the others when one fails', async () => {
    const said = (name: string) => `${place.path}/${name}`;
    const seed = writeProgram(
      place.path,
      'seed.mjs',
      `import { existsSync, writeFileSync } from 'node:fs';
       import { setTimeout as pause } from 'node:timers/promises';
       export async function makeDemo({ HTTP_PORT }) {
         const own = HTTP_PORT.slice(-2);
         writeFileSync('${place.path}/' + own, '');
         const both = () => existsSync('${said('10')}') && existsSync('${said('20')}');
         while (!both() || existsSync('${said('broken')}') && own === '10') await pause(10);
         if (existsSync('${said('broken')}')) throw new Error('It broke.');
       }`,
    );
    const side_by_side = withDemo(seed).map((row) => ({
      ...row,
      ...(row.demo && { demo: row.demo.map((part) => ({ ...part, needs: [] })) }),
    }));
    writeFileSync(said('broken'), '');
    await expect(start({ rows: side_by_side })).rejects.toThrow('The demo data of crm could not be created: It broke.');
    rmSync(said('broken'));
    const suite = await start({ rows: side_by_side, reset: true });
    expect(JSON.parse(readFileSync(`${suite.data}/demo.done`, 'utf8')).toSorted()).toEqual(['crm', 'platform']);
  });

  test('creates the demo again after an interrupted first start, and never after that', async () => {
    const seed = writeProgram(
      place.path,
      'seed.mjs',
      `import { appendFileSync, existsSync } from 'node:fs';
       export async function makeDemo({ HTTP_PORT }) {
         appendFileSync('${place.path}/seeded', HTTP_PORT.slice(-2) + ' ');
         if (HTTP_PORT.endsWith('20') && !existsSync('${place.path}/patient')) await new Promise(() => {});
       }`,
    );
    const seeded = () => readFileSync(`${place.path}/seeded`, { encoding: 'utf8', flag: 'a+' });
    const rows = withDemo(seed);
    const interrupt = new AbortController();
    const starting = start({ rows, signal: interrupt.signal }).then(() => 'started', String);
    while (!seeded().includes('20')) await pause(20);
    interrupt.abort();
    expect(await starting).toContain('aborted');
    writeFileSync(`${place.path}/patient`, '');
    const second = await start({ rows });
    expect(seeded()).toBe('10 20 10 20 ');
    expect(said.some((line) => line.startsWith('✓ Incomplete demo removed'))).toBe(true);
    await statement(second, 'create table kept (word text)');
    await second.stop();
    const third = await start({ rows });
    expect(await statement(third, 'select word from kept')).toEqual([]);
    expect(seeded()).toBe('10 20 10 20 ');
  });

  test('stops cleanly while it is still starting', async () => {
    const interrupt = new AbortController();
    const starting = start({ signal: interrupt.signal, begin: (title) => title === 'Databases' && interrupt.abort() });
    await expect(starting).rejects.toThrow('aborted');
    expect(said.some((line) => line.includes('Processes'))).toBe(false);
    await start();
  });
});

async function statement(suite: Suite, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: String(suite.databases['crm']), options: '-c role=crm_owner' });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
