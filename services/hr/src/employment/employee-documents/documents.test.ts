import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, freezeClock } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { serving, platform, company } = await openHr();
let acme: TestWorkspace;
let ada: string;
let self: Member;
let type_id: string;
beforeEach(async () => {
  freezeClock('2026-06-15T10:00:00Z');
  acme = await company();
  const user_id = platform.hire(acme.workspace);
  ada = await acme.employ({ user_id });
  self = acme.member({ user_id, can: [] });
  [{ id: type_id }] = (await acme.owner.get('/api/document-types')).body.data;
});

const add = (by: Member = acme.owner, fields: object = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ type_id, ...fields })) form.set(name, String(value));
  form.set('file', new Blob(['Passport no. 1'], { type: 'text/plain' }), 'passport.txt');
  return by.upload(`/api/employee/document/${ada}`, form);
};
const listDocuments = async (by: Member = acme.owner) =>
  (await by.get(`/api/employee/show/${ada}`)).body.data.documents;

describe('a document', () => {
  test('is uploaded, visible to HR and the employee, and downloaded by its link', async () => {
    const { status, body } = await add(acme.owner, { expiry: '2030-01-01' });
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({ employee_id: ada, type_id, name: 'passport.txt', expiry: '2030-01-01', size: 14 }),
    ]);
    expect(await listDocuments()).toMatchObject([{ id: body.data.id }]);
    const [own] = await listDocuments(self);
    expect((await serving.anonymous.get(own.url)).status).toBe(200);
    expect(await listDocuments(acme.member({ can: ['employee.view', 'employee.update'] }))).toBeUndefined();
  });

  test('has a link that stops working when its user loses the permission', async () => {
    await add();
    const can = ['employee.view', 'employee.update', 'employee.identity'];
    const hrUser = acme.member({ user_id: platform.hire(acme.workspace), can });
    const [{ url }] = await listDocuments(hrUser);
    const [{ url: own }] = await listDocuments(self);
    const statusOfDownload = async (address: string) => (await serving.anonymous.get(address)).status;
    expect([await statusOfDownload(url), await statusOfDownload(own)]).toEqual([200, 200]);
    platform.rights.set(hrUser.caller.user_id, { permissions: can.slice(0, 2), modules: [...hrUser.caller.modules] });
    expect([await statusOfDownload(url), await statusOfDownload(own)]).toEqual([404, 200]);
  });

  test('cannot be changed by the employee or without employee.identity', async () => {
    const { id } = (await add()).body.data;
    const { user_id } = self.caller;
    expect(await add(acme.member({ user_id }))).toMatchObject({ status: 409, body: { code: 'own_record' } });
    const hrUser = acme.member({ can: ['employee.view', 'employee.update'] });
    expect(await add(hrUser)).toMatchObject({ status: 403, body: { details: { permission: 'employee.identity' } } });
    expect(await hrUser.delete(`/api/employee/document/${ada}/${id}`)).toMatchObject({ status: 403 });
    const other = await company();
    expect(await other.owner.delete(`/api/employee/document/${ada}/${id}`)).toMatchObject({ status: 404 });
    const colleague = await acme.employ();
    expect(await acme.owner.delete(`/api/employee/document/${colleague}/${id}`)).toMatchObject({ status: 404 });
  });

  test('is deleted together with its file', async () => {
    const { id, url } = (await add()).body.data;
    expect(await acme.owner.delete(`/api/employee/document/${ada}/${id}`)).toMatchObject({ status: 200 });
    expect(await serving.sql`SELECT key FROM discarded_files WHERE workspace_id = ${acme.workspace}`).toHaveLength(1);
    expect((await serving.anonymous.get(url)).status).toBe(404);
    expect(await listDocuments()).toEqual([]);
  });

  test('requires an active document type', async () => {
    await acme.owner.post(`/api/document-type/update/${type_id}`, { active: false });
    const { status, body } = await add();
    expect([status, Object.keys(body.errors)]).toEqual([422, ['type_id']]);
    expect(await serving.sql`SELECT id FROM employee_documents WHERE workspace_id = ${acme.workspace}`).toEqual([]);
  });
});
