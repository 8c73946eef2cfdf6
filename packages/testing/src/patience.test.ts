import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { makeCaller, memberOf } from './member.ts';
import { keysOf } from './start.ts';
import { retryPostponed, runConcurrently } from './waiting.ts';

/** Returns the given responses in order. A fault is thrown. */
function telling(...told: (number | Error)[]) {
  const left = told.toReversed();
  const call = async () => {
    const next = left.pop();
    if (next instanceof Error) throw next;
    return { status: next };
  };
  return { call, left };
}
const fault = (status: number) => Object.assign(new Error(`It is ${status}.`), { status });

describe('a caller whose request is postponed', () => {
  test('repeats the request after each 503 or 504 until it succeeds', async () => {
    const { call, left } = telling(503, fault(504), 200, 200);
    expect(await retryPostponed(call)).toEqual({ status: 200 });
    expect(left).toEqual([200]);
  });

  test('repeats only its own request among concurrent ones', async () => {
    const all = [telling(200), telling(503, 201), telling(409)];
    const replies = await runConcurrently(3, (at) => all[at]!.call());
    expect(replies.map(({ status }) => status)).toEqual([200, 201, 409]);
  });

  test('repeats a request of a member if the service is too busy', async () => {
    const told = ['finance_unavailable', 'unavailable', 'unavailable'];
    const server = createServer((_request, response) =>
      response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify({ code: told.pop() })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kim = memberOf({ name: 'crm', url, gateway: keysOf('gateway') }, makeCaller({}));
    expect(await kim.post('/api/lead/create', {})).toMatchObject({ body: { code: 'finance_unavailable' } });
    expect(told).toEqual([]);
    server.close();
  });

  test('returns every other answer unchanged', async () => {
    for (const status of [500, 429, 409]) {
      expect(await retryPostponed(telling(status, 200).call)).toEqual({ status });
      await expect(retryPostponed(telling(fault(status), 200).call)).rejects.toMatchObject({ status });
    }
  });
});
