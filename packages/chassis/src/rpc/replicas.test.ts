import { promises as dns } from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, jest, test } from '@jest/globals';
import { NotebookServiceDefinition } from '@suite/proto/notebook/v1/notebook';
import { keysOf, silentLog } from '../../test/fixture.ts';
import type { Database } from '../database/database.ts';
import type { Storage } from '../storage/storage.ts';
import type { Keys } from '../identity/identity.ts';
import { connectRpc, serveRpc, startRpcServer } from './rpc.ts';

const keys = keysOf('crm', 'finance') as Record<'crm' | 'finance', Keys>;
const NAME = 'finance.test';
/** The addresses that the name resolves to. */
const addresses: string[] = [];
const { lookup } = dns;
const resolve = (name: string, options: object) =>
  name === NAME
    ? Promise.resolve(addresses.map((address) => ({ address, family: 4 })))
    : (lookup as (name: string, options: object) => Promise<unknown>)(name, options);
jest.spyOn(dns, 'lookup').mockImplementation(resolve as never);

/** The replica of each response, in order. */
const responses: string[] = [];
const servers = new Map<string, Awaited<ReturnType<typeof startRpcServer>>>();
afterAll(() => Promise.all([...servers.values()].map((server) => server.stop(100))));

/** Starts a replica at its own address and adds it to the name. Returns its port, which is the same for all replicas. */
async function addReplica(host: string, port = 0): Promise<number> {
  const batchGetNotes = async () => {
    responses.push(host);
    return {};
  };
  const server = await startRpcServer({
    host,
    port,
    services: [serveRpc(NotebookServiceDefinition, { batchGetNotes }, ['batchGetNotes'])],
    keys: keys.finance,
    database: {} as Database,
    storage: {} as Storage,
    log: silentLog,
  });
  servers.set(host, server);
  addresses.push(host);
  return server.port;
}

const LATEST = 120;

/** Returns the smallest and the largest share of a running replica in the latest responses. */
function shares(): { min: number; max: number } {
  const latest = responses.slice(-LATEST);
  const each = [...servers.keys()].map((host) => latest.filter((one) => one === host).length / latest.length);
  return { min: Math.min(...each), max: Math.max(...each) };
}

test('reaches an added replica and leaves a removed one without a failed call', async () => {
  const port = await addReplica('127.0.0.1');
  await addReplica('127.0.0.2', port);
  const services = { finance: { definition: NotebookServiceDefinition, address: `${NAME}:${port}` } };
  const rpc = connectRpc(services, keys.crm, 400);
  const call = () => rpc.as(null, 'request-1').finance.batchGetNotes({});
  /** Calls until the shares of the replicas are nearly equal, or up to the limit. */
  const callUntilEven = async () => {
    for (let calls = 0; calls < 4_000; calls += 1) {
      await call();
      if (calls >= LATEST && shares().min > 0.7 / servers.size) return shares();
      await pause(5);
    }
    return shares();
  };
  expect((await callUntilEven()).max).toBeLessThan(0.65);
  await addReplica('127.0.0.3', port);
  expect((await callUntilEven()).max).toBeLessThan(0.46);
  addresses.splice(addresses.indexOf('127.0.0.1'), 1);
  const calls = [...Array(20)].map(call);
  await Promise.all([servers.get('127.0.0.1')!.stop(1_000), ...calls]);
  servers.delete('127.0.0.1');
  expect((await callUntilEven()).max).toBeLessThan(0.65);
  rpc.close();
}, 120_000);
