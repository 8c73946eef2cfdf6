import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, start } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { fakeJournals, fakesOf } from '../../../test/fake-journal.ts';
import { openWorkspace, type TestWorkspace } from '../../../test/workspace.ts';

const journals = fakeJournals();
const platform = await start(contents, { fakes: fakesOf(journals) });
let acme: TestWorkspace;
let owner: Member;
beforeEach(async () => {
  for (const journal of Object.values(journals)) journal.clear();
  acme = await openWorkspace(platform);
  owner = await acme.as('owner');
});

const minute = (number: number) => `2026-11-29T10:${String(number).padStart(2, '0')}:00.000Z`;

async function changesOf(member: Member, query: Record<string, string> = {}) {
  const { status, body } = await member.get(`/api/changes?${new URLSearchParams(query)}`);
  expect([status, body.code]).toEqual([200, undefined]);
  return body.data;
}

/** Reads everything after a cursor, page by page. */
async function readAll(member: Member, query: Record<string, string> = {}) {
  const found: { record_id: string; type: string }[] = [];
  let after = query['after'];
  for (;;) {
    const page = await changesOf(member, { ...query, ...(after !== undefined && { after }) });
    found.push(...page.changes);
    after = page.cursor;
    if (!page.has_more) return { found: found.map(({ record_id }) => record_id), cursor: String(after) };
  }
}

describe('the changes of a workspace', () => {
  test('are merged from all services by time, in one sequence', async () => {
    const ids = [journals.crm.add('lead', minute(1)), journals.hr.add('employee', minute(2))];
    ids.push(journals.crm.add('deal', minute(3)), journals.finance.add('sales_invoice', minute(4)));
    const page = await changesOf(owner);
    expect(page.changes.map(({ record_id }: { record_id: string }) => record_id)).toEqual(ids);
    expect(page.changes[0]).toEqual({
      cursor: expect.stringMatching(/^\d+-1$/),
      type: 'crm.lead',
      record_id: ids[0],
      action: 'updated',
      at: '2026-11-29T10:00:00.000Z',
      user: null,
      api_key: null,
      operation: 'leads.update',
      request_id: 'request',
      fields: [{ field: 'name', old: 'Old', new: 'New', concealed: false }],
    });
    expect(page).toMatchObject({ cursor: page.changes[3].cursor, has_more: false });
  });

  test('continue after a cursor, and are the same for every reader', async () => {
    const ids = [1, 2, 3, 4, 5].map((at) => journals.crm.add('lead', minute(at)));
    const first = await changesOf(owner, { limit: '2' });
    expect(first.has_more).toBe(true);
    const rest = await readAll(owner, { limit: '2', after: first.cursor });
    expect([...first.changes.map(({ record_id }: { record_id: string }) => record_id), ...rest.found]).toEqual(ids);
    const late = journals.hr.add('employee', minute(0));
    expect((await readAll(owner, { after: rest.cursor })).found).toEqual([late]);
    expect((await readAll(owner)).found).toEqual([...ids, late]);
  });

  test('are merged completely from long journals', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 1_200; at += 1)
      ids.push(
        journals[at % 3 === 0 ? 'crm' : 'hr'].add(
          at % 3 === 0 ? 'lead' : 'employee',
          new Date(Date.UTC(2026, 10, 1) + at * 1_000).toISOString(),
        ),
      );
    const { found } = await readAll(owner);
    expect(found).toEqual(ids);
  });

  test('are limited to types, and skip hidden ones', async () => {
    const [lead, deal, hidden] = [1, 2, 3].map((at) => journals.crm.add(at === 2 ? 'deal' : 'lead', minute(at)));
    journals.crm.hidden.add(hidden!);
    expect((await readAll(owner, { type: 'crm.lead' })).found).toEqual([lead]);
    expect((await readAll(owner, { type: 'crm.lead,crm.deal' })).found).toEqual([lead, deal]);
  });

  test('begin at the present with `after=now`', async () => {
    journals.crm.add('lead', minute(1));
    const { changes, cursor } = await changesOf(owner, { after: 'now' });
    expect(changes).toEqual([]);
    const next = journals.crm.add('lead', minute(2));
    expect((await readAll(owner, { after: cursor })).found).toEqual([next]);
  });

  test('follow later from a service that is unavailable', async () => {
    const lead = journals.crm.add('lead', minute(1));
    const employee = journals.hr.add('employee', minute(2));
    journals.hr.is_down = true;
    const { found, cursor } = await readAll(owner);
    expect(found).toEqual([lead]);
    journals.hr.is_down = false;
    expect((await readAll(owner, { after: cursor })).found).toEqual([employee]);
  });

  test('are 503 while a service with changes in the page is unavailable, and lose none', async () => {
    const lead = journals.crm.add('lead', minute(1));
    await readAll(owner);
    journals.crm.is_down = true;
    expect((await owner.get('/api/changes')).status).toBe(503);
    journals.crm.is_down = false;
    expect((await readAll(owner)).found).toEqual([lead]);
  });

  test('are stored once by concurrent readers', async () => {
    const ids = [1, 2, 3].map((at) => journals.crm.add('lead', minute(at)));
    const pages = await Promise.all([1, 2, 3, 4].map(() => readAll(owner)));
    for (const { found } of pages) expect(found).toEqual(ids);
  });
});

describe('a cursor', () => {
  test('expires with its changes, and with its sequence', async () => {
    journals.crm.add('lead', minute(1));
    journals.crm.add('lead', minute(2));
    const [first] = (await changesOf(owner)).changes;
    await platform.sql`UPDATE change_feeds SET removed_sequence = 2 WHERE workspace_id = ${acme.id}::uuid`;
    const expired = { status: 410, body: { code: 'cursor_expired' } };
    expect(await owner.get(`/api/changes?after=${first.cursor}`)).toMatchObject(expired);
    expect(await owner.get(`/api/changes?after=7-1`)).toMatchObject(expired);
  });

  test.each(['later', '1-2-3', '-1', '1'])('is rejected with 422 as %s', async (after) => {
    const { status, body } = await owner.get(`/api/changes?after=${after}`);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['after']]);
  });

  test('is rejected with 422 if it is from the future', async () => {
    const { cursor } = await changesOf(owner, { after: 'now' });
    const { status, body } = await owner.get(`/api/changes?after=${cursor.split('-')[0]}-99`);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['after']]);
  });
});

test.each([
  [{ type: 'crm.leads' }, 'type'],
  [{ type: 'lead' }, 'type'],
  [{ type: '' }, 'type'],
  [{ limit: '101' }, 'limit'],
  [{ limit: '0' }, 'limit'],
])('the query %j is rejected', async (query, field) => {
  const { status, body } = await owner.get(`/api/changes?${new URLSearchParams(query as never)}`);
  expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
});

test('clients and vendors have no access to the changes', async () => {
  const client = await acme.as('client');
  expect(await client.get('/api/changes')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});
