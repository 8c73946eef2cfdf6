/** Streams of changes through the gateway of a running suite. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dataOf } from '@suite/testing/http';
import { waitUntil } from '@suite/testing/waiting';
import { type EventStream, openEventStream } from '@suite/testing/suite/event-stream';
import { type SignedIn, signIn } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';

const suite = await useSharedSuite();
let acme: Workspace;

beforeAll(async () => {
  acme = await openWorkspace(suite, `streams ${randomUUID()}`);
}, 240_000);

/** Opens a stream of the changes from now on, or after the cursor of an earlier stream. */
async function openStream({ access_token }: SignedIn, last_event_id?: string): Promise<EventStream> {
  const stream = await openEventStream(
    `${suite.gateway}/api/changes${last_event_id === undefined ? '?after=now' : ''}`,
    {
      authorization: `Bearer ${access_token}`,
      ...(last_event_id !== undefined && { 'last-event-id': last_event_id }),
    },
  );
  expect(stream.response.statusCode).toBe(200);
  return stream;
}

/** Creates a record in each of several services. Returns the IDs. */
async function createRecords({ owner }: Workspace): Promise<string[]> {
  const name = randomUUID();
  const created = [
    owner.post('/api/lead/create', { name }),
    owner.post('/api/customers/create', { name }),
    owner.post('/api/product/create', { name, sku: name }),
    owner.post('/api/projects/create', { name }),
  ];
  return (await Promise.all(created.map(dataOf))).map(({ id }: { id: string }) => id);
}

const arrived = (stream: EventStream, ids: readonly string[]) =>
  waitUntil('the stream contains all records', () => ids.every((id) => stream.text().includes(id)));

describe('a stream of changes', () => {
  test('sends the records of all services to users who may view them', async () => {
    const outsider = await openWorkspace(suite, `outsider ${randomUUID()}`);
    const [own, foreign] = [await openStream(acme.owner), await openStream(outsider.owner)];
    await arrived(own, await createRecords(acme));
    await arrived(foreign, await createRecords(outsider));
    expect(foreign.text()).not.toContain(acme.owner.user.workspace.id);
    for (const stream of [own, foreign]) stream.close();
  });

  test('continues after the last event of an earlier stream', async () => {
    const first = await openStream(acme.owner);
    await arrived(first, [(await dataOf(acme.owner.post('/api/lead/create', { name: randomUUID() }))).id]);
    first.close();
    const last = [...first.text().matchAll(/^id: (.+)$/gm)].at(-1)?.[1];
    const { id } = await dataOf(acme.owner.post('/api/lead/create', { name: randomUUID() }));
    const second = await openStream(acme.owner, last);
    await arrived(second, [id]);
    expect(second.text().match(/^event: change$/gm)).toHaveLength(1);
    second.close();
  });

  test('ends when its session ends', async () => {
    const session = await signIn(suite.gateway, acme.owner.email, acme.owner.password);
    const stream = await openStream(session);
    await dataOf(session.post('/api/logout', {}));
    await stream.ended;
    expect(stream.text()).toMatch(/event: error\ndata: \{.*"code":"unauthenticated"/);
  });
});

test('a request with wait returns the next change', async () => {
  const { cursor } = await dataOf(acme.owner.get('/api/changes?after=now'));
  const waiting = dataOf(acme.owner.get(`/api/changes?after=${cursor}&wait=25`));
  const { id } = await dataOf(acme.owner.post('/api/lead/create', { name: randomUUID() }));
  const { changes } = await waiting;
  expect(changes.map(({ record_id }: { record_id: string }) => record_id)).toContain(id);
});
