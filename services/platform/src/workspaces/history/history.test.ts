import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { NotFound } from '@suite/chassis/faults';
import { type ListChangesRequest, type RecordChange, RecordServiceDefinition } from '@suite/proto/records/v1/records';
import { type Member, start } from '@suite/testing';
import { fakeServer } from '@suite/testing/fakes/fake-server';
import { platform as contents } from '../../platform.ts';
import { openWorkspace, type TestWorkspace } from '../../../test/workspace.ts';

/** The fake history of one lead in crm, and its requests. */
const crm = { lead_id: randomUUID(), changes: [] as RecordChange[], requests: [] as ListChangesRequest[] };
const platform = await start(contents, {
  fakes: {
    crm: fakeServer(RecordServiceDefinition, {
      async listChanges(request) {
        crm.requests.push(request);
        if (request.record_id !== crm.lead_id) throw NotFound();
        const { offset, limit } = request;
        return { changes: crm.changes.slice(offset, offset + limit), total: crm.changes.length };
      },
    }),
  },
});
let acme: TestWorkspace;
let owner: Member;
beforeAll(async () => {
  acme = await openWorkspace(platform);
  owner = await acme.as('owner');
});
beforeEach(() => {
  crm.changes.length = 0;
  crm.requests.length = 0;
});

const changeOf = (changed: Partial<RecordChange>): RecordChange => ({
  id: '1000.1',
  at: '2026-11-29T10:00:00.000Z',
  action: 'updated',
  user_id: owner.caller.user_id,
  api_key_id: undefined,
  operation: 'leads.update',
  request_id: 'request',
  fields: [{ field: 'value', old_json: '"10.00"', new_json: '"25.00"', concealed: false }],
  ...changed,
});
const historyOf = (member: Member, query: object) =>
  member.get(`/api/history?${new URLSearchParams({ record_type: 'crm.lead', record_id: crm.lead_id, ...query })}`);

describe('the history of a record', () => {
  test('names the users and keys behind the changes of its service', async () => {
    const created = await owner.post('/api/v1/settings/api-keys', { name: 'Import', scopes: ['customer.view'] });
    const key = created.body.data;
    const stranger = randomUUID();
    crm.changes.push(
      changeOf({ id: '3000.1', api_key_id: key.id }),
      changeOf({
        id: '2000.1',
        user_id: stranger,
        fields: [{ field: 'phone', concealed: true, old_json: undefined, new_json: undefined }],
      }),
      changeOf({ id: '1000.1', action: 'created', user_id: undefined, operation: undefined, request_id: undefined }),
    );
    const { status, body } = await historyOf(owner, {});
    expect(status).toBe(200);
    const user = { id: owner.caller.user_id, name: expect.any(String) };
    expect(body.data).toMatchObject([
      {
        id: '3000.1',
        user,
        api_key: { id: key.id, name: 'Import' },
        operation: 'leads.update',
        changes: [{ field: 'value', old: '10.00', new: '25.00', concealed: false }],
      },
      {
        user: { id: stranger, name: null },
        api_key: null,
        changes: [{ field: 'phone', old: null, new: null, concealed: true }],
      },
      { action: 'created', user: null, operation: null, request_id: null },
    ]);
    expect(body.meta).toMatchObject({ page: 1, per_page: 20, total: 3, total_is_exact: true });
  });

  test('is read in pages', async () => {
    crm.changes.push(...[5, 4, 3, 2, 1].map((number) => changeOf({ id: `${number}000.1` })));
    const { body } = await historyOf(owner, { page: '2', per_page: '2' });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['3000.1', '2000.1']);
    expect(crm.requests).toMatchObject([{ record_type: 'crm.lead', offset: 2, limit: 2 }]);
  });

  test('is the same 404 for hidden and unknown records', async () => {
    expect(await historyOf(owner, { record_id: randomUUID() })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });

  test.each([
    ['an unknown service', { record_type: 'sales.lead' }, 'record_type'],
    ['a type without a service', { record_type: 'lead' }, 'record_type'],
    ['an ID that is no UUID', { record_id: '4711' }, 'record_id'],
    ['a page too far', { page: '101' }, 'page'],
    ['too many changes', { per_page: '101' }, 'per_page'],
  ])('rejects %s without a call', async (_, query, field) => {
    const { status, body } = await historyOf(owner, query);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    expect(crm.requests).toEqual([]);
  });

  test('is for members of staff', async () => {
    const client = await acme.as('client');
    expect(await historyOf(client, {})).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});
