import dns from 'node:dns';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, jest, test } from '@jest/globals';
import { replicaAgent } from './replica-agent.ts';

const NAME = 'finance.test';
/** The addresses that the name resolves to. */
const addresses: string[] = [];
const { lookup } = dns;
const resolve = ((name: string, options: dns.LookupAllOptions, callback: (error: null, found: object[]) => void) => {
  if (name !== NAME) return lookup(name, options, callback as never);
  callback(
    null,
    addresses.map((address) => ({ address, family: 4 })),
  );
}) as never;
jest.spyOn(dns, 'lookup').mockImplementation(resolve);

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

/** Starts a replica that responds with its own address, and adds it to the name. Returns its port. */
async function addReplica(host: string, port = 0): Promise<number> {
  const server = createServer((_, response) => response.end(host));
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  servers.push(server);
  addresses.push(host);
  return (server.address() as AddressInfo).port;
}

const CONNECTIONS = 20;
const agent = replicaAgent(CONNECTIONS, 200);
afterAll(() => agent.destroy());

const call = (port: number) =>
  new Promise<string>((resolve, reject) => {
    const sent = request({ host: NAME, port, agent }, (response) => {
      response.setEncoding('utf8').on('data', resolve);
    });
    sent.on('error', reject).end();
  });

test('sends a new replica its share of the requests under steady load', async () => {
  const port = await addReplica('127.0.0.1');
  await addReplica('127.0.0.2', port);
  const responses: string[] = [];
  /** Sends requests on all connections until each replica has its share, or up to the limit. Returns the shares. */
  const sendUntilShared = async () => {
    let shares: number[] = [];
    for (let turn = 0; turn < 2_000; turn += 1) {
      responses.push(...(await Promise.all(Array.from({ length: CONNECTIONS }, () => call(port)))));
      const latest = responses.slice(-1_000);
      shares = addresses.map((host) => latest.filter((one) => one === host).length / latest.length);
      if (turn >= 50 && Math.min(...shares) > 0.2) break;
    }
    return shares;
  };
  expect(Math.min(...(await sendUntilShared()))).toBeGreaterThan(0.2);
  await addReplica('127.0.0.3', port);
  expect(Math.min(...(await sendUntilShared()))).toBeGreaterThan(0.2);
});

test('reaches another replica if one rejects connections', async () => {
  const port = await addReplica('127.0.0.4');
  addresses.splice(0, addresses.length, '127.0.0.4', '127.0.0.5', '127.0.0.6');
  const responses = await Promise.all(Array.from({ length: CONNECTIONS }, () => call(port)));
  expect(new Set(responses)).toEqual(new Set(['127.0.0.4']));
});
