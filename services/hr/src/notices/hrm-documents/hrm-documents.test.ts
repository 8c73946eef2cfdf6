import { beforeEach, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { type SignedInEmployee, type NoticesFixture, openOffices } from '../../../test/notices.ts';
import { removeDiscardedFiles } from '../../leave/leave-applications/remove-discarded-files.ts';

const { serving, office } = await openOffices();
let acme: NoticesFixture;
let ada: SignedInEmployee;
let ben: SignedInEmployee;
let type_id: string;
beforeEach(async () => {
  freezeClock('2026-06-15T10:00:00Z');
  acme = await office();
  ada = await acme.hire('Ada');
  ben = await acme.hire('Ben', { branch_id: acme.harbour });
  [{ id: type_id }] = (await acme.owner.get('/api/document-types')).body.data;
});

const PDF = Buffer.from('%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n');

/** Returns a form with some fields and a file. */
function formOf(
  fields: Record<string, string>,
  file: Blob | null = new Blob(['Wear a helmet.'], { type: 'text/plain' }),
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (file) form.append('file', file, 'rules.txt');
  return form;
}
const rules = () => ({ title: 'House rules', type_id });
const create = (fields: Record<string, string> = {}, file?: Blob | null) =>
  acme.owner.upload('/api/hrm-document/create', formOf({ ...rules(), ...fields }, file));
const changeStatus = (id: string, action: string) =>
  acme.owner.post(`/api/hrm-document/update-status/${id}`, { action });
const publishDocument = async (fields: Record<string, string> = {}): Promise<string> => {
  const { id } = (await create(fields)).body.data;
  expect(await changeStatus(id, 'publish')).toMatchObject({ status: 200, body: { data: { status: 'published' } } });
  return id;
};
/** Downloads the text of a file by its link. */
const downloadFile = async (url: string) => {
  const reply = await serving.anonymous.get(url);
  return { status: reply.status, disposition: reply.headers.get('content-disposition') };
};

test('publishes a document for its audience, which alone gets a file link', async () => {
  const audience = JSON.stringify({ branch_ids: [acme.harbour] });
  const id = await publishDocument({ audience, requires_ack: 'true', end: '' });
  const shown = (await ben.user.get(`/api/hrm-document/show/${id}`)).body.data;
  expect(shown).toMatchObject({
    name: 'rules.txt',
    mime: 'text/plain',
    size: 14,
    requires_ack: true,
    acknowledgment: { status: 'pending', due_on: '2026-06-29' },
  });
  expect(await downloadFile(shown.url)).toEqual({ status: 200, disposition: expect.stringContaining('rules.txt') });
  const [row] = (await ben.user.get('/api/hrm-documents')).body.data;
  expect(await downloadFile(row.url)).toMatchObject({ status: 200 });
  expect(await ada.user.get(`/api/hrm-document/show/${id}`)).toMatchObject({ status: 404 });
  expect((await ada.user.get('/api/hrm-documents')).body.data).toEqual([]);
  expect(
    (await acme.member({ kind: 'client', can: ['hrm_document.view'] }).get('/api/hrm-documents')).body.data,
  ).toEqual([]);
  expect(await acme.deliver()).toMatchObject([{ to: 'ben', subject: 'Please acknowledge: House rules' }]);
  const events =
    await serving.sql`SELECT data FROM journal_events WHERE workspace_id = ${acme.workspace} AND type = 'hr.document.published'`;
  expect(events).toEqual([{ data: { document_id: id, type_id, requires_ack: true } }]);
});

test('rejects a document without a file, with a disallowed file or without an end', async () => {
  expect(await create({}, new Blob(['<svg onload="alert(1)"/>'], { type: 'text/plain' }))).toMatchObject({
    status: 415,
  });
  expect(await create({}, null)).toMatchObject({ status: 422, body: { errors: { file: [expect.any(String)] } } });
  expect(await create({}, new Blob([Buffer.alloc(10 * 1024 * 1024 + 1, 'a')]))).toMatchObject({ status: 413 });
  expect((await acme.owner.get('/api/hrm-documents')).body.meta.total).toBe(0);
  for (const [wrong, field] of [
    [{ type_id: acme.harbour }, 'type_id'],
    [{ requires_ack: 'perhaps' }, 'requires_ack'],
    [{ start: '2026-13-01' }, 'start'],
    [{ start: '2026-07-02', end: '2026-07-01' }, 'end'],
    [{ audience: 'everybody' }, 'audience'],
    [{ audience: '{"branch_ids":["x"]}' }, 'audience.branch_ids.0'],
    [{ colour: 'red' }, 'colour'],
  ] as const)
    expect(await create(wrong as Record<string, string>)).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
});

test('replaces the file of a draft, but not of a published document', async () => {
  const { id, url } = (await create()).body.data;
  const form = formOf({ title: 'Rules of the house', version: '1' }, new Blob([PDF], { type: 'application/pdf' }));
  const changed = await acme.owner.upload(`/api/hrm-document/update/${id}`, form);
  expect(changed).toMatchObject({
    status: 200,
    body: { data: { title: 'Rules of the house', mime: 'application/pdf', type_id } },
  });
  expect(await downloadFile(url)).toMatchObject({ status: 404 });
  const gone = await serving.sql`SELECT key FROM discarded_files WHERE workspace_id = ${acme.workspace}`;
  expect(gone).toHaveLength(1);
  await changeStatus(id, 'publish');
  expect(await acme.owner.upload(`/api/hrm-document/update/${id}`, formOf({}))).toMatchObject({
    status: 409,
    body: { code: 'already_published', details: { fields: ['file'] } },
  });
  expect(
    await acme.owner.post(`/api/hrm-document/update/${id}`, { end: '2026-07-01', requires_ack: false }),
  ).toMatchObject({
    status: 409,
    body: { details: { fields: ['requires_ack'] } },
  });
  expect(await acme.owner.post(`/api/hrm-document/update/${id}`, { end: '2026-07-01' })).toMatchObject({ status: 200 });
});

test('deletes the file with its draft, and rejects deleting a type in use', async () => {
  const { id, url } = (await create()).body.data;
  expect(await acme.owner.delete(`/api/document-type/delete/${type_id}`)).toMatchObject({ status: 409 });
  expect(await acme.owner.delete(`/api/hrm-document/delete/${id}`)).toMatchObject({ status: 200 });
  expect(await downloadFile(url)).toMatchObject({ status: 404 });
  freezeClock('2999-01-01T00:00:00Z');
  await removeDiscardedFiles.work(serving.tools as never);
  expect(await serving.sql`SELECT key FROM discarded_files WHERE workspace_id = ${acme.workspace}`).toEqual([]);
});

test('filters documents by title, type and audience', async () => {
  await publishDocument({ audience: JSON.stringify({ employee_ids: [ada.id] }) });
  const list = async (query: string) => (await acme.owner.get(`/api/hrm-documents?${query}`)).body.data.length;
  expect(await list(`q=house&type_id=${type_id}&employee_id=${ada.id}&status=published`)).toBe(1);
  expect(await list(`employee_id=${ben.id}`)).toBe(0);
  expect(await acme.owner.get('/api/hrm-documents?mime=text/plain')).toMatchObject({ status: 422 });
  const rival = await office();
  expect((await rival.owner.get('/api/hrm-documents')).body.data).toEqual([]);
});
