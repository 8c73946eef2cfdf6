import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, runConcurrently } from '@suite/testing';
import { openRecords } from '../../../test/records.ts';

const { serving, at, member, post, platform } = await openRecords();

/** Accused employee, with all permissions of the workspace. */
let accused: Member;
let accused_id: string;
let colleague: Member;
beforeEach(async () => {
  const [user_id, other] = [platform.hire(at.acme.workspace), platform.hire(at.acme.workspace)];
  accused_id = await at.acme.employ({ name: 'Bo', user_id });
  accused = member({ user_id, kind: 'owner' });
  await at.acme.employ({ name: 'Colleague', user_id: other });
  colleague = member({ user_id: other, can: [] });
});

const complain = (more: object = {}, by = at.self) =>
  by.post('/api/hrm/complaint', {
    against_employee_id: accused_id,
    subject: 'Shouting in the yard',
    date: '2026-06-12',
    description: 'Every morning.',
    ...more,
  });
const complaintId = async (more?: object) => (await complain(more)).body.data.id as string;
const decide = (id: string, action: string, outcome?: string, by = at.acme.owner) =>
  by.post(`/api/complaint/update-status/${id}`, { action, ...(outcome && { outcome }) });

describe('a complaint', () => {
  test('is investigated and resolved with an outcome that its author can read', async () => {
    const { status, body } = await complain();
    expect([status, body.data]).toMatchObject([
      201,
      { status: 'open', from_employee_id: at.employee_id, anonymous: false },
    ]);
    const { id } = body.data;
    expect(await decide(id, 'resolve', 'Talked to him')).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    expect(await decide(id, 'investigate', 'Too early')).toMatchObject({ status: 422 });
    expect((await decide(id, 'investigate')).body.data).toMatchObject({
      status: 'investigating',
      allowed_actions: ['resolve', 'dismiss'],
    });
    expect(await post(`complaint/update/${id}`, { subject: 'x' })).toMatchObject({ status: 409 });
    expect(await decide(id, 'resolve')).toMatchObject({
      status: 422,
      body: { errors: { outcome: [expect.any(String)] } },
    });
    const replies = await runConcurrently(20, (turn) => decide(id, turn % 2 ? 'resolve' : 'dismiss', `By ${turn}`));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(10);
    const { data } = (await at.self.get('/api/hrm/complaints')).body;
    expect(data).toMatchObject([
      { id, status: expect.stringMatching(/^(resolved|dismissed)$/), outcome: expect.stringMatching(/^By/) },
    ]);
    expect((await at.self.get(`/api/hrm/complaint/${id}`)).body.data).toMatchObject({ id, allowed_actions: [] });
    expect((await colleague.get('/api/hrm/complaints')).body.data).toEqual([]);
    expect(await colleague.get(`/api/hrm/complaint/${id}`)).toMatchObject({ status: 404 });
  });

  test('is invisible to the accused in lists, counts, search and responses', async () => {
    const mine = await complaintId();
    const nameless = await complaintId({ anonymous: true });
    const other = await complaintId({ against_employee_id: undefined, subject: 'Shouting of the pipes' });
    const total = async (query: string, by = accused) => (await by.get(`/api/complaints?${query}`)).body.meta.total;
    expect(await total('', at.acme.owner)).toBe(3);
    for (const query of ['', 'q=shouting', 'status=open', `id[in]=${mine},${nameless},${other}`, 'sort=date'])
      expect([query, await total(query)]).toEqual([query, 1]);
    for (const query of [
      `against_employee_id=${accused_id}`,
      'against_employee_id[null]=false',
      `id=${mine}`,
      'anonymous=true',
    ])
      expect([query, await total(query)]).toEqual([query, 0]);
    for (const id of [mine, nameless]) {
      const unknown = await accused.get(`/api/complaint/show/${accused_id}`);
      const replies = [
        await accused.get(`/api/complaint/show/${id}`),
        await accused.get(`/api/hrm/complaint/${id}`),
        await accused.post(`/api/complaint/update/${id}`, { subject: 'Nothing' }),
        await decide(id, 'investigate', undefined, accused),
        await accused.delete(`/api/complaint/delete/${id}`),
      ];
      for (const reply of replies) expect([reply.status, reply.body.code]).toEqual([unknown.status, unknown.body.code]);
    }
    expect(await accused.get(`/api/complaint/show/${other}`)).toMatchObject({ status: 200 });
    const events =
      await serving.sql`SELECT type FROM journal_events WHERE workspace_id = ${at.acme.workspace} AND data::text LIKE ${`%${mine}%`}`;
    expect(events).toEqual([]);
  });

  test('is also invisible to the accused while they are named temporarily', async () => {
    const id = await complaintId({ against_employee_id: undefined });
    expect(await accused.get(`/api/complaint/show/${id}`)).toMatchObject({ status: 200 });
    await post(`complaint/update/${id}`, { against_employee_id: accused_id });
    expect(await accused.get(`/api/complaint/show/${id}`)).toMatchObject({ status: 404 });
    await post(`complaint/update/${id}`, { against_employee_id: null });
    expect(await accused.get(`/api/complaint/show/${id}`)).toMatchObject({ status: 200 });
    expect(await accused.post(`/api/complaint/update/${id}`, { against_employee_id: accused_id })).toMatchObject({
      status: 409,
      body: { code: 'own_record' },
    });
  });

  test('rejects the caller as accused, future dates and decisions by the author', async () => {
    expect(await complain({ against_employee_id: at.employee_id })).toMatchObject({
      status: 422,
      body: { code: 'against_oneself' },
    });
    expect(await complain({ date: '2026-06-16' })).toMatchObject({ status: 422 });
    expect(await complain({ against_employee_id: at.designation_id })).toMatchObject({ status: 422 });
    expect(await complain({}, member({ can: [] }))).toMatchObject({ status: 403, body: { code: 'not_an_employee' } });
    const hr = member({ user_id: at.user_id });
    for (const anonymous of [false, true]) {
      const id = (await complain({ anonymous }, hr)).body.data.id;
      expect(await decide(id, 'investigate', undefined, hr)).toMatchObject({
        status: 409,
        body: { code: 'own_record' },
      });
      expect(await decide(id, 'investigate')).toMatchObject({ status: 200 });
    }
  });

  test('cannot be entered for others with record scope own', async () => {
    const body = { subject: 'Letter', date: '2026-06-01', description: 'By post.' };
    const hrUser = member({
      user_id: at.user_id,
      can: ['complaint.view', 'complaint.create', 'employee.view'],
      record_scopes: { complaint: 'own' },
    });
    const createComplaint = (more: object) => hrUser.post('/api/complaint/create', { ...body, ...more });
    for (const wrong of [{}, { from_employee_id: accused_id }])
      expect(await createComplaint(wrong)).toMatchObject({
        status: 422,
        body: { errors: { from_employee_id: [expect.any(String)] } },
      });
    expect((await at.acme.owner.get('/api/complaints')).body.meta.total).toBe(0);
    expect(await createComplaint({ from_employee_id: at.employee_id })).toMatchObject({ status: 201 });
    expect((await hrUser.get('/api/complaints')).body.meta.total).toBe(1);
  });

  test('is created for a named or unknown author, and deleted while open', async () => {
    const body = { subject: 'Letter', date: '2026-06-01', description: 'By post.' };
    const unknown = await post('complaint/create', body);
    expect(unknown).toMatchObject({ status: 201, body: { data: { from_employee_id: null, anonymous: false } } });
    const signedComplaint = await post('complaint/create', { ...body, from_employee_id: at.employee_id });
    expect((await at.self.get('/api/hrm/complaints')).body.data).toMatchObject([{ id: signedComplaint.body.data.id }]);
    expect(await post('complaint/create', { ...body, anonymous: true })).toMatchObject({
      status: 422,
      body: { errors: { from_employee_id: [expect.any(String)] } },
    });
    expect(
      await post('complaint/create', { ...body, from_employee_id: accused_id, against_employee_id: accused_id }),
    ).toMatchObject({
      status: 422,
      body: { code: 'against_oneself' },
    });
    expect(await at.acme.owner.delete(`/api/complaint/delete/${unknown.body.data.id}`)).toMatchObject({ status: 200 });
    await decide(signedComplaint.body.data.id, 'investigate');
    expect(await at.acme.owner.delete(`/api/complaint/delete/${signedComplaint.body.data.id}`)).toMatchObject({
      status: 409,
    });
  });
});

describe('an anonymous complaint', () => {
  test('shows its author to owners only', async () => {
    const id = await complaintId({ anonymous: true });
    const hr = member({});
    for (const path of ['/api/complaints?expand=author,from_employee', `/api/complaint/show/${id}?expand=author`]) {
      const { body } = await hr.get(path);
      const [row] = [body.data].flat();
      expect(row).toMatchObject({ id, anonymous: true, from_employee_id: null, created_by: null, updated_by: null });
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`${at.employee_id}|${at.user_id}|Lovelace`));
      const [seen] = [(await at.acme.owner.get(path)).body.data].flat();
      expect(seen).toMatchObject({ author: { id: at.employee_id, name: 'Ada Lovelace' } });
    }
    expect((await hr.get(`/api/complaints?from_employee_id=${at.employee_id}`)).body.meta.total).toBe(0);
    expect((await hr.get('/api/sensitive-accesses')).body.meta.total).toBe(0);
  });

  test('stores no author in the record or the audit log', async () => {
    const id = await complaintId({ anonymous: true });
    const [row] = await serving.sql`SELECT * FROM complaints WHERE id = ${id}`;
    const log = await serving.sql`SELECT * FROM journal_changes WHERE table_name = 'complaints' AND record_id = ${id}`;
    expect(row!['author_sealed']).toMatch(/^v1\./);
    expect(log).toMatchObject([{ actor: null, request_id: null, after: { author_sealed: '[sealed]' } }]);
    expect(JSON.stringify([row, log])).not.toMatch(new RegExp(`${at.employee_id}|${at.user_id}`));
    const signedComplaint = await complaintId();
    const [other] = await serving.sql`SELECT actor FROM journal_changes WHERE record_id = ${signedComplaint}`;
    expect(other).toMatchObject({ actor: { user_id: at.user_id } });
  });

  test('responds identically for the author and others when the accused employee changes', async () => {
    const id = await complaintId({ anonymous: true });
    const accuse = (against_employee_id: string) => post(`complaint/update/${id}`, { against_employee_id });
    const employees = (await at.acme.owner.get('/api/employees?per_page=100')).body.data as { id: string }[];
    expect(employees.map((employee) => employee.id)).toContain(at.employee_id);
    for (const employee of employees)
      expect([employee.id, (await accuse(employee.id)).status]).toEqual([employee.id, 200]);
    const signedComplaint = await complaintId();
    expect(await post(`complaint/update/${signedComplaint}`, { against_employee_id: at.employee_id })).toMatchObject({
      status: 422,
      body: { code: 'against_oneself' },
    });
  });

  test('can be read by its author by ID, and is in no list', async () => {
    const id = await complaintId({ anonymous: true });
    expect((await at.self.get('/api/hrm/complaints')).body.data).toEqual([]);
    expect((await at.self.get(`/api/hrm/complaint/${id}`)).body.data).toMatchObject({
      id,
      status: 'open',
      anonymous: true,
    });
    expect(await colleague.get(`/api/hrm/complaint/${id}`)).toMatchObject({ status: 404 });
    expect(await at.self.get(`/api/complaint/show/${id}`)).toMatchObject({ status: 403 });
  });
});
