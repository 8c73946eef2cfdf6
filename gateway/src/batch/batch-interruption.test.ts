/** Batches that end before their last call. */
import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { waitUntil } from '@suite/testing/waiting';
import { type BatchClient, batchClient, codes, json, respondInOrder, statuses } from '../../test/batch-client.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import { sendRequest } from '../../test/http-client.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';

const { gateway, startAnother, crm, introspection, signIn, publish } = await gatewayFixture();
const SHOW = { method: 'GET', path: '/api/lead/show/0198c5b8-1111-7000-8000-000000000000' };

let kim: SignedInUser;
let client: BatchClient;
beforeEach(() => {
  kim = signIn();
  client = batchClient(gateway.url, kim);
  delete crm.respond;
});

describe('a batch', () => {
  test('ends for a credential that is revoked in the middle', async () => {
    const revoke = async (request: IncomingMessage, response: ServerResponse) => {
      introspection.users.delete(kim);
      await publish('platform.session.revoked', {
        workspace_id: kim.workspace_id,
        data: { session_id: kim.session_id },
      });
      const { authorization } = kim;
      const isRevoked = async () =>
        (await sendRequest(gateway.url, '/api/user', { headers: { authorization } })).status === 401;
      await waitUntil('the session has ended', isRevoked);
      json(200, { data: 1 })(request, response);
    };
    respondInOrder(crm, (request, response) => void revoke(request, response), json(200, { data: 1 }));
    const outcomes = await client.outcomesOf({ calls: [SHOW, SHOW, SHOW] });
    expect(statuses(outcomes)).toEqual([200, 401, 401]);
  });

  test('begins no further call after its client has disconnected', async () => {
    const first = Promise.withResolvers<ServerResponse>();
    const urls = respondInOrder(
      crm,
      (_, response) => first.resolve(response),
      json(200, { data: 1 }),
      json(200, { data: 1 }),
    );
    const headers = { authorization: kim.authorization, 'content-type': 'application/json' };
    const connection = openRequest(`${gateway.url}/api/batch`, { method: 'POST', headers });
    connection.on('error', () => undefined).end(JSON.stringify({ calls: [SHOW, SHOW] }));
    const running = await first.promise;
    connection.destroy();
    await new Promise((resolve) => connection.once('close', resolve));
    // The gateway sees the end of the connection before this request on a later one.
    expect((await sendRequest(gateway.url, '/api/version')).status).toBe(200);
    json(200, { data: 1 })(running.req, running);
    expect(statuses(await client.outcomesOf({ calls: [SHOW] }))).toEqual([200]);
    expect(urls).toHaveLength(2);
  });

  test('begins no further call after its time or while the gateway stops', async () => {
    const deadlines = { read_ms: 9_000, write_ms: 9_000, print_ms: 9_000, transfer_ms: 9_000, batch_ms: 1_000 };
    const slow = await startAnother({}, deadlines);
    respondInOrder(crm, (request, response) => void setTimeout(() => json(200, { data: 1 })(request, response), 1_050));
    const late = await batchClient(slow.url, kim).outcomesOf({ calls: [SHOW, SHOW] });
    expect([statuses(late), codes(late)[1]]).toEqual([[200, 504], 'batch_timeout']);
    const stopping = await startAnother({});
    respondInOrder(crm, (request, response) => {
      void stopping.stop();
      setTimeout(() => json(200, { data: 1 })(request, response), 150);
    });
    const cut = await batchClient(stopping.url, kim).outcomesOf({ calls: [SHOW, SHOW] });
    expect([statuses(cut), codes(cut)[1]]).toEqual([[200, 503], 'batch_interrupted']);
    expect(cut[1]!.headers['retry-after']).toBe('1');
  });
});
