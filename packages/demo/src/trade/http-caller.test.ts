import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { signIn } from './http-caller.ts';

let close = () => {};
afterEach(() => close());

/** Starts a suite that rejects every login, as it does while unknown callers try the owner's password. */
async function openSuite(key: string) {
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    asked.push(`${request.method} ${request.url}`);
    const isKnown = request.headers.authorization === `Bearer ${key}`;
    reply.statusCode = request.url === '/api/login' ? 429 : isKnown ? 200 : 401;
    reply.end(JSON.stringify({ data: { id: 'made' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('uses an API key, so that failed logins by others do not lock it out', async () => {
  const { asked, url } = await openSuite('key');
  const owner = await signIn(url, { email: 'owner@demo.test', password: 'unused', key: 'key' });
  expect(await owner.post('/api/lead/create', {})).toEqual({ id: 'made' });
  expect(asked).toEqual(['GET /api/user', 'POST /api/lead/create']);
});
