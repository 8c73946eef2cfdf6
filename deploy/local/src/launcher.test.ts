import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { launcherConfig } from './config.ts';
import { writeEnvironment, lockData, resetData } from './data/data-directory.ts';
import { temporaryDirectory } from './fixtures/programs.ts';
import { databasePasswords, makeKeys, rotateSigningKey } from './data/keys.ts';
import { environmentOf } from './environment.ts';
import { planSuite, portsOf } from './plan.ts';
import { processes } from './processes.ts';
import { ProcessOutput } from './supervision/process-output.ts';

let place: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  place = temporaryDirectory();
});
afterEach(() => place.remove());

describe('the configuration', () => {
  test('requires the addresses of all databases or none', () => {
    const services = ['platform', 'crm'];
    expect(launcherConfig(services, {}).database_urls).toEqual({});
    expect(launcherConfig(services, { DATABASE_URL_CRM: 'postgres://x' }).faults).toEqual([
      'DATABASE_URL_PLATFORM is missing: give the database of every service, or of none',
    ]);
    const both = { DATABASE_URL_CRM: 'postgres://x', DATABASE_URL_PLATFORM: 'postgresql://y' };
    expect(launcherConfig(services, both)).toMatchObject({
      database_urls: { crm: 'postgres://x', platform: 'postgresql://y' },
      faults: [],
    });
  });

  test.each([
    [{ PORT: 'abc' }, 'PORT must be a number from 1 to 64535, not "abc"'],
    [{ PORT: '0' }, 'not "0"'],
    [{ PORT: '-1' }, 'not "-1"'],
    [{ PORT: '4000.5' }, 'not "4000.5"'],
    [{ PORT: '65000' }, 'not "65000"'],
    [{ DATABASE_URL_X: 'notaurl' }, 'DATABASE_URL_X names none of crm'],
    [{ DATABASE_URL_CRM: 'notaurl' }, 'DATABASE_URL_CRM must be an address like postgres://'],
    [{ DATABASE_URL_CRM: 'mysql://crm' }, 'DATABASE_URL_CRM must be an address like postgres://'],
    [{ NATS_URL: '127.0.0.1:4222' }, 'NATS_URL must be an address like nats://127.0.0.1:4222'],
    [{ NATS_URL: 'http://127.0.0.1:4222' }, 'NATS_URL must be an address like'],
    [{ NATS_URL: 'nats://a:4222,b:4222' }, 'NATS_URL must be an address like'],
    [{ NATS_CREDENTIALS_X: '/etc/hosts' }, 'NATS_CREDENTIALS_X names none of crm, gateway'],
    [{ NATS_CREDENTIALS_CRM: '/nowhere' }, 'NATS_CREDENTIALS_CRM names a file that does not exist'],
  ])('reports the fault in %j', (environment, sentence) => {
    expect(launcherConfig(['crm'], environment).faults).toEqual([expect.stringContaining(sentence)]);
  });

  test('reports all faults before starting anything', () => {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url));
    const bad = {
      PORT: 'abc',
      DATABASE_URL_X: 'notaurl',
      RATE_LIMITS: '{"nobody": 1}',
      CORS_ORIGINS: '*',
      TRUST_PROXY: '-1',
      CONNECTIONS_PER_ADDRESS: '0',
      LOG_LEVEL: 'loud',
      SMTP_URL: 'mail',
    };
    const env = { PATH: process.env['PATH'], ...bad };
    const { status, stderr } = spawnSync(process.execPath, [main, '--data', `${place.path}/data`], {
      encoding: 'utf8',
      env,
    });
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    for (const name of Object.keys(bad)) expect(stderr).toContain(`${name} `);
    expect(existsSync(`${place.path}/data`)).toBe(false);
  });

  test('passes on only the variables that processes need', () => {
    const { handed_on } = launcherConfig([], {
      PATH: '/bin',
      HOST: '0.0.0.0',
      DATABASE_URL: 'x',
      SMTP_URL: 'smtp://m',
    });
    expect(handed_on).toEqual({ PATH: '/bin', SMTP_URL: 'smtp://m' });
  });
});

describe('the plan', () => {
  test('assigns separate ports to every process, replicas included', () => {
    const ports = portsOf(planSuite({ port: 5000, replicas: { crm: 3, platform: 2 } })).map(({ port }) => port);
    expect(new Set(ports).size).toBe(ports.length);
    expect(ports).toEqual(expect.arrayContaining([5000, 5001, 5010, 5011, 5012, 5110, 5020, 5120, 5220, 5090, 5091]));
  });

  test('has demo parts without circular dependencies', () => {
    const parts = processes.flatMap(({ demo = [] }) => demo);
    const made = new Set<string>();
    const next = () => parts.filter(({ name, needs }) => !made.has(name) && needs.every((each) => made.has(each)));
    for (let ready = next(); ready.length > 0; ready = next()) for (const { name } of ready) made.add(name);
    expect([...made].toSorted()).toEqual(parts.map(({ name }) => name).toSorted());
  });

  test('starts replicas of the gateway, too', () => {
    const ports = portsOf(planSuite({ port: 5000, replicas: { gateway: 2 } })).map(({ port }) => port);
    expect(ports).toEqual(expect.arrayContaining([5000, 5001, 5100, 5101]));
  });

  test('rejects replicas of an unknown process', () => {
    expect(() => planSuite({ replicas: { postgres: 2 } })).toThrow('Unknown process "postgres" in --replicas.');
  });

  test('uses the servers and the variables of the options', () => {
    const servers = {
      nats_url: 'nats://a:4222,nats://b:4222',
      nats_credentials: {},
      database_urls: { crm: 'postgres://a/crm' },
    };
    const plan = planSuite({ servers, environment: ({ name }) => ({ NAME: name }), replicas: { crm: 2 } });
    const addresses = { nats_url: servers.nats_url, databases: servers.database_urls };
    const second = plan.processes.find(({ name }) => name === 'crm-2')!;
    expect(environmentOf(plan, second, addresses)).toMatchObject({ NAME: 'crm-2', NATS_URL: servers.nats_url });
    expect(plan.config.database_urls).toEqual(servers.database_urls);
  });
});

describe('the data directory', () => {
  test('can be locked again after its owner has died', () => {
    const first = lockData(place.path);
    expect(() => lockData(place.path)).toThrow('A suite is running on');
    first.release();
    // The process ID of a running process with another start time: the ID was reused.
    writeFileSync(`${place.path}/suite.lock`, JSON.stringify({ pid: process.pid, identity: 'another' }));
    const second = lockData(place.path);
    expect(second.was_killed).toBe(true);
    second.release();
  });

  test('is closed to other users of the machine, even if it was open before', () => {
    const data = `${place.path}/new`;
    lockData(data).release();
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(data)).toBe(0o700);
    chmodSync(data, 0o755);
    lockData(data).release();
    expect(modeOf(data)).toBe(0o700);
    writeEnvironment(data, 'crm', { DATABASE_URL: 'postgres://crm:secret@db/crm' });
    chmodSync(`${data}/environment/crm.json`, 0o644);
    writeEnvironment(data, 'crm', {});
    expect(modeOf(`${data}/environment/crm.json`)).toBe(0o600);
  });

  test('is not emptied when it contains the files of others', () => {
    writeFileSync(`${place.path}/demo.json`, '{}');
    writeFileSync(`${place.path}/notes.txt`, 'mine');
    resetData(place.path);
    expect(readdirSync(place.path)).toEqual(['notes.txt']);
  });
});

describe('secrets', () => {
  test('are created once, readable by their owner only', () => {
    makeKeys(place.path, ['gateway', 'crm']);
    const file = `${place.path}/crm/private.pem`;
    const before = statSync(file).mtimeMs;
    chmodSync(file, 0o644);
    makeKeys(place.path, ['gateway', 'crm', 'platform']);
    expect(statSync(file).mtimeMs).toBe(before);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(`${place.path}/crm/trusted`)).toEqual(['crm.pem', 'gateway.pem', 'platform.pem']);
    const passwords = databasePasswords(`${place.path}/secrets.json`, ['crm']);
    expect(databasePasswords(`${place.path}/secrets.json`, ['crm', 'platform'])).toMatchObject(passwords);
  });
});

describe('the rotation of a signing key', () => {
  const names = ['gateway', 'crm'];
  const read = (path: string) => readFileSync(`${place.path}/${path}`, 'utf8');
  const rotate = (now = Date.now()) => rotateSigningKey(place.path, names, 'crm', now);
  beforeEach(() => makeKeys(place.path, names));

  test('publishes the new key first, and trusts the previous one until its tokens expire', () => {
    const before = read('gateway/trusted/crm.pem');
    expect(rotate()).toMatch('restart all processes');
    const next = read('gateway/trusted/crm.second.pem');
    expect([read('gateway/trusted/crm.pem'), existsSync(`${place.path}/crm/signing.pem`)]).toEqual([before, false]);
    expect(rotate()).toMatch('restart crm');
    expect([read('gateway/trusted/crm.pem'), read('gateway/trusted/crm.second.pem')]).toEqual([next, before]);
    expect(() => rotate()).toThrow('Tokens of the previous key can still be valid. Repeat the command in 15 minutes.');
    const later = Date.now() + 16 * 60_000;
    expect(rotate(later)).toMatch('no longer trusted');
    expect(readdirSync(`${place.path}/gateway/trusted`)).toEqual(['crm.pem', 'gateway.pem']);
    expect(read('gateway/trusted/crm.pem')).toBe(next);
    rotate(later);
    expect(read('gateway/trusted/crm.pem')).toBe(next);
    expect(read('gateway/trusted/crm.second.pem')).not.toBe(before);
  });

  test('continues when a step was interrupted', () => {
    rotate();
    rmSync(`${place.path}/gateway/trusted/crm.second.pem`);
    expect(rotate()).toMatch('Step 1');
    expect(rotate()).toMatch('Step 2');
  });

  test('does not change the key at the next start', () => {
    rotate();
    rotate();
    const both = ['crm.pem', 'crm.second.pem'].map((file) => read(`gateway/trusted/${file}`));
    makeKeys(place.path, names);
    expect(['crm.pem', 'crm.second.pem'].map((file) => read(`gateway/trusted/${file}`))).toEqual(both);
  });

  test('names a wrong process or folder', () => {
    expect(() => rotateSigningKey(place.path, names, 'sales', 0)).toThrow('"sales" is not a process.');
    expect(() => rotateSigningKey(`${place.path}/crm`, names, 'crm', 0)).toThrow('has no key of crm');
  });
});

describe('the output of a process', () => {
  test('passes on warnings and errors, up to a limit', () => {
    const said: string[] = [];
    const output = new ProcessOutput('crm', (line) => said.push(line));
    output.hear('{"level":30,"msg":"hello"}');
    for (let count = 0; count < 10; count += 1) output.hear('{"level":50,"msg":"lost","err":{"message":"no route"}}');
    expect(said).toEqual([...Array<string>(5).fill('crm error: lost (no route)'), 'crm says more; see its log']);
  });

  test('contains the last lines of a process', () => {
    const output = new ProcessOutput('crm', () => {});
    for (const line of [
      'file:///x.ts:3',
      'throw new Error',
      '    ^',
      '',
      'TypeError: x is not a function',
      '    at y',
      '',
      'Node.js v24',
    ]) {
      output.hear(line);
    }
    expect(output.exitReason()).toBe('TypeError: x is not a function');
    output.begin();
    expect(output.exitReason()).toBeNull();
    output.hear('HTTP_PORT must be a number.');
    expect(output.exitReason()).toBe('HTTP_PORT must be a number.');
  });
});
