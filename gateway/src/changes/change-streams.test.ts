/** Requests that wait for changes, through a gateway with a fake platform. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type EventStream, openEventStream } from '@suite/testing/suite/event-stream';
import { waitUntil } from '@suite/testing/waiting';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import { sendRequest } from '../../test/http-client.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';

const { gateway, startAnother, introspection, platform, signIn, signal, publish } = await gatewayFixture();

/** The fake feed: changes with numbers as cursors. */
const feed = { changes: 0, reads: [] as string[], status: 200, padding: '' };
let kim: SignedInUser;
beforeEach(() => {
  kim = signIn();
  Object.assign(feed, { changes: 0, reads: [], status: 200, padding: '' });
  platform.respond = (request, response) => {
    const { searchParams } = new URL(String(request.url), 'http://platform');
    feed.reads.push(String(request.url));
    const after = Number(searchParams.get('after') ?? 0);
    const numbers = Array.from({ length: feed.changes }, (_, at) => at + 1).filter((number) => number > after);
    const { padding } = feed;
    const limit = Number(searchParams.get('limit') ?? 100);
    const changes = numbers
      .slice(0, limit)
      .map((number) => ({ cursor: String(number), record_id: `record ${number}`, ...(padding && { padding }) }));
    const page = { changes, cursor: changes.at(-1)?.cursor ?? String(feed.changes), has_more: numbers.length > limit };
    const body = feed.status === 200 ? { data: page } : { code: 'refused', message: 'Refused.' };
    response.writeHead(feed.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
});

const as = (user: SignedInUser) => ({ headers: { authorization: user.authorization } });
const recordsIn = (body: { data: { changes: { record_id: string }[] } }) =>
  body.data.changes.map(({ record_id }) => record_id);

/** Adds a change, and signals it. */
function change(workspace_id = kim.workspace_id): void {
  feed.changes += 1;
  signal(workspace_id);
}

const openStream = (
  url: string,
  { authorization }: SignedInUser,
  headers: Record<string, string> = {},
  query = '',
): Promise<EventStream> => openEventStream(`${url}/api/changes${query}`, { authorization, ...headers });

const until = (stream: EventStream, text: string) =>
  waitUntil(`the stream contains ${text}`, () => stream.text().includes(text));

describe('a request with wait', () => {
  test('returns existing changes immediately, and passes the other parameters on', async () => {
    feed.changes = 2;
    const { status, body } = await sendRequest(gateway.url, '/api/changes?type=crm.lead&wait=25', as(kim));
    expect([status, recordsIn(body)]).toEqual([200, ['record 1', 'record 2']]);
    expect(feed.reads).toEqual(['/api/changes?type=crm.lead']);
  });

  test('returns the next change after its signal', async () => {
    const answer = sendRequest(gateway.url, '/api/changes?wait=25', as(kim));
    await waitUntil('the feed was read', () => feed.reads.length > 0);
    change();
    const { status, body } = await answer;
    expect([status, recordsIn(body)]).toEqual([200, ['record 1']]);
  });

  test('ends without changes after its time', async () => {
    const { status, body } = await sendRequest(gateway.url, '/api/changes?wait=1', as(kim));
    expect([status, recordsIn(body), body.data.cursor]).toEqual([200, [], '0']);
  });

  test('returns the errors of the feed', async () => {
    feed.status = 410;
    expect(await sendRequest(gateway.url, '/api/changes?wait=25', as(kim))).toMatchObject({
      status: 410,
      body: { code: 'refused' },
    });
  });

  test.each(['26', '-1', 'x', '1.5'])('is rejected for %s seconds', async (wait) => {
    const { status, body } = await sendRequest(gateway.url, `/api/changes?wait=${wait}`, as(kim));
    expect([status, Object.keys(body.errors)]).toEqual([422, ['wait']]);
    expect(feed.reads).toEqual([]);
  });

  test('requires a credential', async () => {
    expect((await sendRequest(gateway.url, '/api/changes?wait=25')).status).toBe(401);
  });
});

describe('a stream', () => {
  test('sends existing and later changes as events with their cursor', async () => {
    feed.changes = 1;
    const stream = await openStream(gateway.url, kim);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    await until(stream, 'record 1');
    change();
    await until(stream, 'record 2');
    expect(stream.text()).toContain('\n\nid: 2\nevent: change\ndata: {"cursor":"2","record_id":"record 2"}\n\n');
    stream.close();
  });

  test('continues after the last event that its client has received', async () => {
    feed.changes = 3;
    const stream = await openStream(gateway.url, kim, { 'last-event-id': '2' }, '?after=1');
    await until(stream, 'record 3');
    expect(stream.text()).not.toContain('record 2');
    stream.close();
  });

  test('ends after the end of its session', async () => {
    const stream = await openStream(gateway.url, kim);
    introspection.users.delete(kim);
    const { workspace_id, session_id } = kim;
    await publish('platform.session.revoked', { workspace_id, data: { session_id } });
    await stream.ended;
    expect(stream.text()).toMatch(/event: error\ndata: \{.*"code":"unauthenticated".*\}\n\n$/);
  });

  test('continues after an outage of the service', async () => {
    const stream = await openStream(gateway.url, kim);
    feed.status = 503;
    change();
    await waitUntil('the feed has failed', () => feed.reads.length > 1);
    feed.status = 200;
    await until(stream, 'record 1');
    stream.close();
  });

  test('counts as one request, regardless of its changes', async () => {
    const remaining = async () => {
      const { headers } = await sendRequest(gateway.url, '/api/changes', as(kim));
      return Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    };
    const before = await remaining();
    const stream = await openStream(gateway.url, kim);
    for (const record of ['record 1', 'record 2', 'record 3']) {
      change();
      await until(stream, record);
    }
    stream.close();
    expect(before - (await remaining())).toBe(2);
  });

  test('requests fewer changes if a response is too large', async () => {
    feed.padding = 'x'.repeat(400_000);
    feed.changes = 5;
    const stream = await openStream(gateway.url, kim);
    await until(stream, 'record 5');
    expect(new Set(feed.reads.map((url) => new URL(url, 'http://platform').searchParams.get('limit')))).toEqual(
      new Set([null, '50', '25', '13', '7', '4', '2']),
    );
    stream.close();
  });

  test('gets an ordinary error before its first event', async () => {
    feed.status = 410;
    const stream = await openStream(gateway.url, kim);
    expect(stream.response.statusCode).toBe(410);
    await stream.ended;
    expect(JSON.parse(stream.text())).toMatchObject({ code: 'refused' });
  });

  test('is limited to 20 for each user', async () => {
    const streams: EventStream[] = [];
    for (let number = 0; number < 20; number += 1) streams.push(await openStream(gateway.url, kim));
    const refused = await openStream(gateway.url, kim);
    expect(refused.response.statusCode).toBe(429);
    expect((await openStream(gateway.url, signIn())).response.statusCode).toBe(200);
    for (const stream of streams) stream.close();
    await waitUntil('the streams have ended', async () => {
      const again = await openStream(gateway.url, kim);
      again.close();
      return again.response.statusCode === 200;
    });
  });

  test('ends when the gateway stops', async () => {
    const stopping = await startAnother();
    const stream = await openStream(stopping.url, kim);
    await stopping.stop();
    await stream.ended;
    expect(stream.response.complete).toBe(true);
  });
});
