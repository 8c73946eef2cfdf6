import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { acceptInvitation } from './workspace.ts';

/** Responses of the fake gateway, in order. */
let answers: [status: number, body: object][] = [];
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(String(request.url));
  const [status, body] = answers.shift() ?? [500, {}];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => new Promise((resolve) => server.close(resolve)));

const slow: (typeof answers)[number] = [504, { code: 'gateway_timeout' }];
const spent: (typeof answers)[number] = [422, { code: 'link_spent' }];
const signedIn: (typeof answers)[number] = [
  200,
  { data: { access_token: 'a', refresh_token: 'r', user: { id: 'ada' } } },
];
beforeEach(() => {
  asked.length = 0;
});

describe('accepting an invitation', () => {
  test('retries when the gateway times out', async () => {
    answers = [slow, spent, [503, { code: 'unavailable' }], signedIn];
    expect(await acceptInvitation({ gateway }, 'ada@example.test', 'token')).toMatchObject({ user: { id: 'ada' } });
    expect(asked).toEqual(['/api/accept-invitation', '/api/accept-invitation', '/api/login', '/api/login']);
  });

  test('fails when the link has already been used', async () => {
    answers = [spent];
    await expect(acceptInvitation({ gateway }, 'ada@example.test', 'token')).rejects.toThrow('422');
  });
});
