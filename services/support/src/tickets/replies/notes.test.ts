import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Operation, operationsOf } from '@suite/chassis/declarations';
import { openSupport, type Office } from '../../../test/fixture.ts';
import { makeLink } from '../../emails/outbound-mail/ticket-link.ts';
import { deliverMail } from '../../emails/outbound-mail/mail-delivery.ts';
import type { Db } from '../../operations.ts';
import { support } from '../../support.ts';

const { serving, office: openOffice } = await openSupport();
const base = '/api/support-ticket';
const SECRET = `secret${crypto.randomUUID().slice(0, 8)}`;
const tools = serving.tools as unknown as Parameters<typeof deliverMail>[0];
let office: Office;
let agent: Office['owner'];
let ticket_id: string;
let token: string;
/** All callers on the requester's side of that ticket. */
let requesters: Record<string, Office['owner']>;

const note = (by: Office['owner'], id: string, body: object = {}) =>
  by.post(`${base}/ticket/note/store/${id}`, { body: `${SECRET} says the note`, ...body });

beforeAll(async () => {
  office = await openOffice();
  agent = office.member({ name: 'Ann Agent' });
  const client = office.member({ kind: 'client', name: 'Carl Client' });
  const body = { subject: 'Help', description: 'Please.' };
  ticket_id = (await client.post(`${base}/ticket/store`, body)).body.data.id;
  await note(agent, ticket_id);
  await agent.post(`${base}/ticket/add-reply/${ticket_id}`, { body: 'Better?', status: 'resolved' });
  await note(agent, ticket_id);
  const context = { workspace_id: office.workspace, caller: null, operation: 'test', request_id: crypto.randomUUID() };
  token = await serving.database.write(context, (db) => makeLink(db as Db, office.workspace, ticket_id));
  const same = client.caller.user_id;
  requesters = {
    'a client': client,
    'a vendor': office.member({ kind: 'vendor', user_id: same }),
    'an agent who is the requester': office.member({ user_id: same }),
    'the owner who is the requester': office.member({ kind: 'owner', user_id: same }),
    'a member with the scope own': office.member({ user_id: same, record_scopes: { ticket: 'own' } }),
  };
});

/** Returns the addresses of a query: plain, with all expansions, and with a search for the note's text. */
function addressesOf({ path, query, reply }: Operation): string[] {
  const plain = path.replace('{ticket_id}', ticket_id).replace('{token}', token);
  if (reply.shape !== 'page') return [plain];
  const expand = (query as { expand?: string[] }).expand ?? [];
  return [`${plain}?per_page=100${expand.length ? `&expand=${expand.join(',')}` : ''}`];
}

const queries = [...operationsOf(support)].filter(
  ([, { kind, path, reply }]) => kind === 'query' && reply.shape !== 'stream' && !/\{(?!ticket_id|token)/.test(path),
);

describe('the text of a note', () => {
  test.each(queries)('is absent from the response of %s to a requester', async (_id, operation) => {
    for (const [role, by] of [...Object.entries(requesters), ['the holder of a link', serving.anonymous] as const])
      for (const address of addressesOf(operation)) {
        const { status, body } = await by.get(address);
        expect(status).toBeLessThan(500);
        expect([role, JSON.stringify(body).includes(SECRET)]).toEqual([role, false]);
      }
  });

  test('is found by agents but not by requesters', async () => {
    const found = async (by: Office['owner']) => (await by.get(`${base}/tickets?q=${SECRET}`)).body.data.length;
    for (const by of Object.values(requesters)) expect(await found(by)).toBe(0);
    expect(await found(agent)).toBe(1);
  });

  test("is absent from responses to a requester's commands", async () => {
    const [by] = Object.values(requesters);
    const answers = [
      await by!.post(`${base}/ticket/add-reply/${ticket_id}`, { body: 'Thanks' }),
      await by!.post(`${base}/ticket/add-reply/${ticket_id}`, { body: 'Done', status: 'resolved' }),
      await by!.post(`${base}/ticket/rate/${ticket_id}`, { rating: 5 }),
      await serving.anonymous.post(`${base}/public/${token}/reply`, { body: 'Hello' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 201]);
    expect(JSON.stringify(answers)).not.toContain(SECRET);
  });

  test('appears in no e-mail and no event', async () => {
    while ((await deliverMail(tools)) > 0);
    for (const name of await readdir(serving.mail_directory))
      expect(await readFile(join(serving.mail_directory, name), 'utf8')).not.toContain(SECRET);
    const mails = await serving.sql`SELECT subject, body FROM mails`;
    const events = await serving.sql`SELECT * FROM journal_events`;
    expect(JSON.stringify([mails, events])).not.toContain(SECRET);
  });

  test('does not affect the version or update time that requesters see', async () => {
    const [by] = Object.values(requesters);
    const shown = async () => {
      const { body, headers } = await by!.get(`${base}/ticket/show/${ticket_id}`);
      const { updated_at, version } = body.data;
      return { updated_at, version, etag: headers.get('etag') };
    };
    const before = await shown();
    await note(agent, ticket_id);
    await agent.post(`${base}/ticket/update/${ticket_id}`, { tags: ['inner'] });
    expect(await shown()).toEqual(before);
  });
});

describe('a note', () => {
  test('is available with files to agents with the permission, in every status', async () => {
    const form = new FormData();
    form.set('body', 'See there');
    form.append('files', new Blob(['plain text'], { type: 'text/plain' }), 'note.txt');
    const { status, body } = await agent.upload(`${base}/ticket/note/store/${ticket_id}`, form);
    expect([status, body.data.attachments]).toMatchObject([201, [{ name: 'note.txt' }]]);
    const { data } = (await agent.get(`${base}/ticket/show/${ticket_id}`)).body;
    expect(data.notes.at(-1)).toMatchObject({ author: { name: 'Ann Agent' }, attachments: [{ name: 'note.txt' }] });
    const agentWithoutNotes = office.member({ can: ['ticket.view'] });
    expect((await agentWithoutNotes.get(`${base}/ticket/show/${ticket_id}`)).body.data).not.toHaveProperty('notes');
  });

  test('returns 404 to a requester, as for an unknown ticket', async () => {
    for (const by of Object.values(requesters)) expect((await note(by, ticket_id)).status).toBe(404);
  });

  test.each([[{ body: '' }], [{ body: 'x'.repeat(50_001) }], [{ body: `@${crypto.randomUUID()}` }]])(
    'is rejected %#',
    async (body) => {
      const { status, body: answer } = await note(agent, ticket_id, body);
      expect([status, Object.keys(answer.errors)]).toEqual([422, ['body']]);
    },
  );
});
