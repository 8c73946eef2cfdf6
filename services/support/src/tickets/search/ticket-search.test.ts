import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Office, openSupport } from '../../../test/fixture.ts';

const { office: openOffice } = await openSupport();
const base = '/api/support-ticket';

let office: Office;
let agent: Office['owner'];
let client: Office['owner'];
const open = async (subject: string, description: string) =>
  (await client.post(`${base}/ticket/store`, { subject, description })).body.data.id as string;
const found = async (by: Office['owner'], query: string): Promise<string[]> => {
  const { data, meta } = (await by.get(`${base}/tickets?${query}`)).body;
  expect(meta.total).toBeGreaterThanOrEqual(data.length);
  return data.map(({ subject }: { subject: string }) => subject);
};

beforeAll(async () => {
  office = await openOffice();
  agent = office.member({ name: 'Ann Agent' });
  client = office.member({ kind: 'client', name: 'Carl' });
  const noted = await open('In a note', 'Please.');
  await agent.post(`${base}/ticket/note/store/${noted}`, { body: 'Looks like a flange.' });
  const replied = await open('In a reply', 'Please.');
  await agent.post(`${base}/ticket/add-reply/${replied}`, { body: 'Have you looked at the flange?' });
  await open('A flange', 'It leaks.');
  await open('In the description', 'Some flange or other, and other words besides.');
  await open('Elsewhere', 'Nothing.');
});

describe('a search for words', () => {
  test('ranks the subject first, then description, replies and, for agents, notes', async () => {
    expect(await found(agent, 'q=flange')).toEqual(['A flange', 'In the description', 'In a reply', 'In a note']);
    expect(await found(agent, 'q=flan')).toHaveLength(4);
    expect(await found(agent, 'q=flange%20looked')).toEqual(['In a reply']);
    expect(await found(agent, 'q=nowhere')).toEqual([]);
  });

  test('continues by page number and cursor, and can be sorted and filtered', async () => {
    const first = (await agent.get(`${base}/tickets?q=flange&per_page=1`)).body;
    expect(first.meta).toMatchObject({ total: 4, total_is_exact: true });
    const { next_cursor } = first.meta;
    expect(await found(agent, `q=flange&per_page=3&cursor=${next_cursor}`)).toEqual([
      'In the description',
      'In a reply',
      'In a note',
    ]);
    expect(await found(agent, 'q=flange&per_page=1&page=3')).toEqual(['In a reply']);
    expect(await found(agent, 'q=flange&sort=created_at')).toEqual([
      'In a note',
      'In a reply',
      'A flange',
      'In the description',
    ]);
    expect(await found(agent, 'q=flange&status=open')).toEqual(['In a reply']);
  });

  test('reveals notes only to users who may read them: in tickets, counts and order', async () => {
    const withoutNotes = office.member({ can: ['ticket.view'] });
    const shown = ['A flange', 'In the description', 'In a reply'];
    expect(await found(client, 'q=flange')).toEqual(shown);
    expect(await found(withoutNotes, 'q=flange')).toEqual(shown);
    for (const by of [client, withoutNotes]) expect((await by.get(`${base}/tickets?q=flange`)).body.meta.total).toBe(3);
  });

  test("finds nothing in other workspaces or outside the caller's visibility", async () => {
    const elsewhere = (await openOffice()).member({});
    expect(await found(elsewhere, 'q=flange')).toEqual([]);
    const own = office.member({ record_scopes: { ticket: 'own' } });
    expect(await found(own, 'q=flange')).toEqual([]);
  });

  test.each(['', '%20', "'", '%25', ':*', '!', '(', '%26%26'])('survives %j', async (q) => {
    expect((await agent.get(`${base}/tickets?q=${q}`)).status).toBe(200);
  });
});
