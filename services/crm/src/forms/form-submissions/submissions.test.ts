import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Reply, sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { visitorsOf } from '../../../test/visitor.ts';
import { deliverWidgetMail } from './widget-mail.ts';

const { serving, shop: openShop, platform } = await openCrm();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
const { widget, load, filled, send, submit, wait, leads, counters } = visitorsOf(serving, () => shop);
const randomEmail = () => `${randomUUID()}@example.com`;
const codeOf = ({ status, body }: Reply) => [status, body.code];
const show = async (id: string) => (await shop.owner.get(`/api/lead/show/${id}`)).body.data;
const eventsOf = async (id: string) =>
  (
    await serving.sql<{ type: string }>`SELECT type FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`
  ).map(({ type }) => type);

describe('a submitted form', () => {
  test('creates a lead with note, consent and origin, and reveals nothing to the visitor', async () => {
    const { id: source_id } = (await shop.owner.post('/api/source/create', { name: 'Our site' })).body.data;
    const { id: label_id } = (await shop.owner.post('/api/label/create', { name: 'Web' })).body.data;
    const stage_id = shop.leadStages['contacted'];
    const createdWidget = await widget({
      source_id,
      label_ids: [label_id],
      stage_id,
      redirect_url: 'https://www.example.com/ok',
    });
    const email = randomEmail();
    const fields = { name: 'Ada Lovelace', email, company: 'Engines', size: 'large', news: true, message: 'Call me.' };
    const visit = {
      page_url: 'https://www.example.com/contact?utm_source=fair',
      referrer: 'https://search.example/',
      utm: { source: 'fair', campaign: 'spring' },
    };
    const form = await load(createdWidget, '?lang=de');
    wait(3_000);
    const body = filled(form, fields, visit);
    const reply = await send(body, { query: '?lang=de', headers: { 'user-agent': 'Visitor/1' } });
    expect([reply.status, reply.body.data]).toEqual([
      201,
      { submission_id: body.submission_id, message: 'Danke!', redirect_url: 'https://www.example.com/ok' },
    ]);
    expect(reply.headers.has('set-cookie')).toBe(false);
    const [lead] = await leads(`&email=${email}&expand=labels,sources`);
    expect(lead).toMatchObject({
      name: 'Ada Lovelace',
      subject: 'Ada Lovelace',
      company: 'Engines',
      email,
      stage_id,
      owner_id: shop.owner.caller.user_id,
      origin: 'widget',
      status: 'open',
      consent: { text: 'Ich stimme zu.', ip: '127.0.0.1' },
      attribution: visit,
      labels: [{ name: 'Web' }],
      sources: [{ name: 'Our site' }],
    });
    const { discussions, timeline } = await show(lead.id);
    expect(discussions[0].comment).toBe(
      'Contact\n\nName: Ada Lovelace\nE-mail: ' +
        `${email}\nCompany: Engines\nSize: large\nNewsletter: yes\nMessage: Call me.\n\n` +
        'Page: https://www.example.com/contact?utm_source=fair\nReferrer: https://search.example/\nutm_source: fair\nutm_campaign: spring',
    );
    expect(timeline.map(({ type }: { type: string }) => type).toSorted()).toEqual(['created', 'note_added']);
    expect(await eventsOf(lead.id)).toEqual(['crm.lead.created']);
    const [consent] = await serving.sql`SELECT * FROM lead_consents WHERE lead_id = ${lead.id}`;
    expect(consent).toMatchObject({
      submission_id: body.submission_id,
      text: 'Ich stimme zu.',
      form_version: 1,
      ip: '127.0.0.1',
      user_agent: 'Visitor/1',
    });
    expect(await counters(createdWidget)).toEqual({ submitted: 1, merged: 0, spam: 0, refused: 0 });
  });

  test('adds to the newest open lead with the same address, without overwriting', async () => {
    const createdWidget = await widget();
    const email = randomEmail();
    const known = { name: 'A. Lovelace', email, company: 'Engines', stage_id: shop.leadStages['qualified'] };
    await shop.owner.post('/api/lead/create', { name: 'Old', email });
    wait(1_000);
    const { id } = (await shop.owner.post('/api/lead/create', known)).body.data;
    const reply = await submit(createdWidget, {
      name: 'Ada',
      email: ` ${email.toUpperCase()} `,
      company: 'Others',
      phone: '+49 40 1234567',
    });
    expect(reply.status).toBe(201);
    expect(await leads(`&email=${email}`)).toHaveLength(2);
    const lead = await show(id);
    expect(lead).toMatchObject({
      ...known,
      phone: '+49 40 1234567',
      origin: 'manual',
      consent: { text: 'You may write to me.' },
    });
    expect(lead.discussions[0].comment).toContain('Company: Others');
    expect(await eventsOf(id)).toEqual(['crm.lead.created', 'crm.lead.resubmitted']);
    expect(await counters(createdWidget)).toMatchObject({ submitted: 1, merged: 1 });
  });

  test('adds to the lead with the same number, in any format, without an address', async () => {
    platform.workspaces.set(shop.workspace, { country: 'DE' });
    const createdWidget = await widget();
    const end = String(Math.floor(Math.random() * 9_000_000) + 1_000_000);
    const { id } = (await shop.owner.post('/api/lead/create', { name: 'Ada', phone: `+49 40 ${end}` })).body.data;
    await submit(createdWidget, { name: 'Ada', phone: `040/${end.slice(0, 3)}-${end.slice(3)}` });
    await submit(createdWidget, { name: 'Somebody else', phone: `030 ${end}` });
    platform.workspaces.delete(shop.workspace);
    expect(await eventsOf(id)).toEqual(['crm.lead.created', 'crm.lead.resubmitted']);
    expect(await counters(createdWidget)).toMatchObject({ submitted: 2, merged: 1 });
  });

  test('does not change lost or converted leads', async () => {
    const createdWidget = await widget();
    const email = randomEmail();
    const lost = { stage_id: shop.leadStages['lost'], lost_reason: 'Too dear' };
    const { id } = (await shop.owner.post('/api/lead/create', { name: 'Ada', email, ...lost })).body.data;
    await submit(createdWidget, { name: 'Ada', email });
    expect(await leads(`&email=${email}&status=open`)).toHaveLength(1);
    expect(await show(id)).toMatchObject({ status: 'lost', discussions: [] });
  });

  test('creates one lead per address from fifty concurrent submissions', async () => {
    const createdWidget = await widget();
    const email = randomEmail();
    const form = await load(createdWidget);
    wait(5_000);
    const replies = await runConcurrently(50, () => send(filled(form, { name: 'Ada', email })));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([201]));
    const [lead, ...more] = await leads(`&email=${email}`);
    expect(more).toEqual([]);
    expect((await show(lead.id)).totals.discussions).toBe(50);
    expect(await counters(createdWidget)).toEqual({ submitted: 50, merged: 49, spam: 0, refused: 0 });
  });

  test('returns the first response without effect if repeated, also concurrently', async () => {
    const createdWidget = await widget();
    const email = randomEmail();
    const form = await load(createdWidget);
    wait(5_000);
    const body = filled(form, { name: 'Ada', email });
    const headers = { 'idempotency-key': body.submission_id };
    const replies = await runConcurrently(10, () => send(body, { headers }));
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    expect(replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true')).toHaveLength(9);
    const later = await send({ ...body, form_token: (await load(createdWidget)).form_token });
    expect(codeOf(later)).toEqual([422, 'too_fast']);
    expect(await counters(createdWidget)).toMatchObject({ submitted: 1, merged: 0 });
    const other = await send({ ...body, fields: { name: 'Bob', email } });
    expect(codeOf(other)).toEqual([422, 'submission_id_reused']);
    expect(codeOf(await send(body, { headers: { 'idempotency-key': randomUUID() } }))).toEqual([
      422,
      'validation_failed',
    ]);
  });

  test('gets a normal response and is dropped if a bot filled the honeypot', async () => {
    const createdWidget = await widget();
    const email = randomEmail();
    const form = await load(createdWidget);
    wait(5_000);
    const reply = await send(filled(form, { name: 'Bot', email }, { [form.honeypot]: '12345' }));
    expect([reply.status, reply.body.data.message]).toEqual([201, 'Thank you!']);
    expect(await leads(`&email=${email}`)).toEqual([]);
    expect(await counters(createdWidget)).toEqual({ submitted: 0, merged: 0, spam: 1, refused: 0 });
  });

  test('cuts long lines to the length of the lead columns, and has all text in the note', async () => {
    const fields = ['name', 'company', 'job_title', 'subject'].map((name) => ({ name, type: 'text', label: name }));
    const createdWidget = await widget({ fields: fields.map((field) => ({ ...field, required: true })) });
    const line = `${'x'.repeat(199)}🎉${'y'.repeat(200)}`;
    const subject = randomUUID();
    expect((await submit(createdWidget, { name: line, company: line, job_title: line, subject })).status).toBe(201);
    const [lead] = await leads(`&q=${subject}`);
    const room = 'x'.repeat(199);
    expect(lead).toMatchObject({ name: room, company: room, job_title: room });
    expect((await show(lead.id)).discussions[0].comment).toContain(`company: ${line}`);
    const { name, company, job_title, version } = lead;
    const same = { name, company, job_title, version };
    expect((await shop.owner.post(`/api/lead/update/${lead.id}`, same)).status).toBe(200);
  });

  test("is accepted even if the form's stage, owner or label was deleted", async () => {
    const { id: source_id } = (await shop.owner.post('/api/source/create', { name: randomUUID() })).body.data;
    const gone = (await shop.owner.post('/api/pipeline/create', { name: randomUUID() })).body.data;
    const owner_id = shop.hire({ name: 'Lee' });
    const createdWidget = await widget({ source_id, pipeline_id: gone.id, owner_id });
    await shop.owner.delete(`/api/source/delete/${source_id}`);
    expect((await shop.owner.delete(`/api/pipeline/delete/${gone.id}`)).status).toBe(200);
    await serving.sql`UPDATE users SET status = 'disabled' WHERE id = ${owner_id}`;
    await serving.sql`UPDATE users SET kind = 'owner' WHERE id = ${shop.owner.caller.user_id}`;
    const email = randomEmail();
    expect((await submit(createdWidget, { name: 'Ada', email })).status).toBe(201);
    const [lead] = await leads(`&email=${email}&expand=sources`);
    expect(lead).toMatchObject({ pipeline_id: shop.pipeline.id, owner_id: shop.owner.caller.user_id, sources: [] });
  });

  test('notifies the owner by e-mail, once', async () => {
    const owner_id = shop.hire({ name: 'Mia', email: `mia-${randomUUID()}@example.com` });
    platform.rights.set(owner_id, { permissions: ['lead.view'], modules: ['crm'] });
    const email = platform.residents.get(owner_id)!.email;
    const createdWidget = await widget({ owner_id });
    await submit(createdWidget, { name: 'Ada Lovelace', email: randomEmail(), message: 'Call me.' });
    const tools = serving.tools as unknown as Parameters<typeof deliverWidgetMail>[0];
    while ((await deliverWidgetMail(tools)) > 0);
    const names = await readdir(serving.mail_directory);
    const texts = await Promise.all(names.map((name) => readFile(join(serving.mail_directory, name), 'utf8')));
    const mine = texts.filter((text) => text.includes(`To: ${email}`));
    expect(mine).toHaveLength(1);
    expect(mine[0]).toContain('Subject: Contact: Ada Lovelace');
    expect(mine[0]).toContain('Message: Call me.');
  });

  test('leaves only its submission count when the lead is deleted', async () => {
    const createdWidget = await widget();
    const email = randomEmail();
    await submit(createdWidget, { name: 'Ada', email });
    const [{ id }] = await leads(`&email=${email}`);
    expect((await shop.owner.delete(`/api/lead/delete/${id}`)).status).toBe(200);
    expect(await serving.sql`SELECT FROM lead_consents WHERE lead_id = ${id}`).toEqual([]);
    expect(await serving.sql`SELECT FROM widget_mails WHERE lead_id = ${id}`).toEqual([]);
    const kept =
      await serving.sql`SELECT to_jsonb(s) AS row FROM widget_submissions AS s WHERE widget_id = ${createdWidget.id}`;
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(email);
  });
});
