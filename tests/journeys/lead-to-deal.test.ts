import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findAllViolations } from '@suite/tools/audit';
import { dataOf } from '@suite/testing/http';
import { waitFor } from '@suite/testing/waiting';
import { emailsTo, waitForLink } from '@suite/testing/suite/mailbox';
import { formWith, withIdempotencyKey, type SignedIn, signIn } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';
import { acceptInvitation } from '@suite/testing/suite/workspace';

/** The first call of a new user of `npm start`, and all steps from there to a won deal. */
const suite = await useSharedSuite('demo');
const word = `journey${randomUUID().slice(0, 8)}`;
const buyer = { name: `Bea ${word}`, email: `bea-${word}@example.test` };

let owner: SignedIn;
let client: SignedIn;
let leadStages: Record<string, string>;
let dealStages: Record<string, string>;
let pipeline_id: string;
let lead_id: string;
let deal_id: string;

const lead = () => dataOf(owner.get(`/api/lead/show/${lead_id}`));

beforeAll(async () => {
  const { password = '', logins = [] } = suite.demo ?? {};
  const { email = '' } = logins.find(({ role }) => role === 'owner') ?? {};
  owner = await signIn(suite.gateway, email, password);
}, 240_000);

/** Returns the stages by their meaning: `{ open, ongoing, won, lost }`. */
async function stagesOf(path: string): Promise<Record<string, string>> {
  const rows = await dataOf(owner.get(`${path}?pipeline_id=${pipeline_id}&sort=-position&per_page=100`));
  return Object.fromEntries(rows.map(({ type, id }: { type: string; id: string }) => [type, id]));
}

describe('the owner of the demo workspace', () => {
  test('sees who they are, and a workspace full of records', async () => {
    const me = await dataOf(owner.get('/api/user'));
    expect(me).toMatchObject({ id: owner.user.id, role: { key: 'owner' }, status: 'active' });
    const leads = await owner.get('/api/leads?status=open&sort=-created_at&per_page=3&expand=owner,stage');
    expect(leads.body.meta.total).toBeGreaterThan(50);
    expect(leads.body.data[0]).toMatchObject({
      owner: { name: expect.any(String) },
      stage: { type: expect.any(String) },
    });
    expect((await owner.get('/api/deals')).body.meta.total).toBe(40);
  });

  test('has months of purchases and sales', async () => {
    const count = async (path: string) => (await owner.get(path)).body.meta.total;
    expect(await count('/api/sales-invoice?status=paid')).toBeGreaterThan(5);
    expect(await count('/api/purchase-invoice?status=paid')).toBeGreaterThan(1);
    expect(await count('/api/sales/sales-orders?status=confirmed')).toBeGreaterThan(0);
    expect(await count('/api/sales-proposal?status=converted')).toBe(1);
    expect(await count('/api/credit-notes')).toBeGreaterThan(0);
  });

  test('creates a pipeline with its own stages', async () => {
    ({ id: pipeline_id } = await dataOf(owner.post('/api/pipeline/create', { name: word })));
    leadStages = await stagesOf('/api/lead-stages');
    dealStages = await stagesOf('/api/deal-stages');
    expect(leadStages).toMatchObject({ open: expect.any(String), ongoing: expect.any(String) });
    expect(dealStages).toMatchObject({ open: expect.any(String), won: expect.any(String), lost: expect.any(String) });
  });
});

describe('a lead', () => {
  test('is created, and appears on the board', async () => {
    const made = await owner.post(
      '/api/lead/create',
      { name: buyer.name, subject: word, phone: '+44 20 7946 0018', expected_value: '1250.50', pipeline_id },
      withIdempotencyKey(),
    );
    expect(made).toMatchObject({
      status: 201,
      body: { data: { status: 'open', stage_id: leadStages['open'], version: 1 } },
    });
    lead_id = made.body.data.id;
    const { columns } = await dataOf(owner.post('/api/lead/leadboard', { pipeline_id }));
    expect(columns[0]).toMatchObject({ id: leadStages['open'], count: 1, sum: '1250.50', leads: [{ id: lead_id }] });
    expect((await owner.get(`/api/leads?q=${word}`)).body.data).toMatchObject([{ id: lead_id }]);
  });

  test('moves on the board, with its history', async () => {
    const stage_id = leadStages['ongoing'];
    await dataOf(owner.post('/api/lead/lead-stage-update', { lead_id, stage_id, position: 0 }));
    const { columns } = await dataOf(owner.post('/api/lead/leadboard', { pipeline_id }));
    expect(columns.map(({ count }: { count: number }) => count).slice(0, 1)).toEqual([0]);
    expect(columns.find(({ id }: { id: string }) => id === stage_id)).toMatchObject({
      count: 1,
      leads: [{ id: lead_id }],
    });
    expect((await lead()).stage_history[0]).toMatchObject({ to_stage_id: stage_id, by: owner.user.id });
  });

  test('collects tasks, calls, notes, labels, sources, e-mails and files', async () => {
    const label = await dataOf(owner.post('/api/label/create', { name: word, color: '#3b82f6' }));
    const source = await dataOf(owner.post('/api/source/create', { name: word }));
    await dataOf(owner.post(`/api/lead/add-label/${lead_id}`, { label_ids: [label.id] }));
    await dataOf(owner.post(`/api/lead-source/store/${lead_id}`, { source_ids: [source.id] }));
    const task = await dataOf(
      owner.post('/api/lead-task/create', { lead_id, name: 'Send a quote', date: '2027-02-01', time: '09:30' }),
    );
    await dataOf(owner.post(`/api/lead-task/update/${task.id}`, { status: 'done' }));
    const at = '2026-11-20T10:00:00Z';
    await dataOf(
      owner.post('/api/lead-call/store', { lead_id, subject: 'Hello', type: 'outbound', at, duration_seconds: 60 }),
    );
    await dataOf(owner.post(`/api/lead-discussion/store/${lead_id}`, { comment: 'Likes tea' }));
    const letter = { to: [buyer.email], subject: word, body: 'Here is our quote.' };
    await dataOf(owner.post(`/api/lead-email/store/${lead_id}`, letter));
    const file = new File(['Our quote: 1250.50'], 'quote.txt', { type: 'text/plain' });
    const stored = await owner.upload(`/api/lead-file/store/${lead_id}`, formWith('file', file));
    expect(stored.status).toBe(201);

    expect(await lead()).toMatchObject({
      labels: [{ name: word }],
      sources: [{ name: word }],
      tasks: [{ status: 'done', done_at: expect.any(String) }],
      calls: [{ subject: 'Hello', assignee_id: owner.user.id }],
      discussions: [{ comment: 'Likes tea' }],
      files: [{ name: 'quote.txt', size: 18 }],
    });
    const [{ url }] = (await lead()).files;
    const fetched = await fetch(url);
    expect(await fetched.text()).toBe('Our quote: 1250.50');
    expect(fetched.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('sends its e-mail, and shows the delivery', async () => {
    await waitFor(async () => expect((await lead()).emails).toMatchObject([{ delivery: 'sent' }]), 15_000);
    expect(emailsTo(suite, buyer.email)).toMatchObject([
      { subject: word, text: expect.stringContaining('Here is our quote.') },
    ]);
  });

  test('becomes a deal of a new client, who is invited', async () => {
    const copy = ['sources', 'files', 'discussions', 'calls', 'emails'];
    const converted = await owner.post(
      `/api/lead/convert-to-deal/${lead_id}`,
      { client: buyer, copy },
      withIdempotencyKey(),
    );
    expect(converted.status).toBe(201);
    ({ id: deal_id } = converted.body.data);
    expect(await dataOf(owner.get(`/api/deal/show/${deal_id}`))).toMatchObject({
      name: buyer.name,
      price: '1250.50',
      status: 'open',
      lead_id,
      clients: [{ name: buyer.name }],
      sources: [{ name: word }],
      calls: [{ subject: 'Hello' }],
      discussions: [{ comment: 'Likes tea' }],
      files: [{ name: 'quote.txt' }],
    });
    const address = encodeURIComponent(buyer.email);
    await waitFor(async () => {
      const { data: clients } = (await owner.get(`/api/client-user?email=${address}`)).body;
      expect(clients).toMatchObject([{ name: buyer.name, kind: 'client', status: 'invited' }]);
    });
    expect(await lead()).toMatchObject({ status: 'converted', converted_deal_id: deal_id });
  });

  test('is converted once, for any number of tries', async () => {
    const again = await owner.post(`/api/lead/convert-to-deal/${lead_id}`, { client: buyer });
    expect(again).toMatchObject({ status: 200, body: { data: { id: deal_id } } });
    expect(await owner.post(`/api/lead/update/${lead_id}`, { name: 'Other' })).toMatchObject({ status: 409 });
  });
});

describe('the deal', () => {
  test('is won, and announces it', async () => {
    const won = await dataOf(owner.post(`/api/deal/update/${deal_id}`, { stage_id: dealStages['won'] }));
    expect(won).toMatchObject({
      status: 'won',
      probability: 100,
      weighted_value: '1250.50',
      closed_at: expect.any(String),
    });
    const said = await suite.sql('crm', 'SELECT type FROM journal_events WHERE aggregate_id = $1 ORDER BY position', [
      deal_id,
    ]);
    expect(said.map(({ type }) => type)).toEqual(['crm.deal.created', 'crm.deal.stage_changed', 'crm.deal.won']);
    await waitFor(async () => {
      expect(await suite.sql('crm', 'SELECT FROM journal_waiting')).toEqual([]);
    });
  });
});

describe('the client', () => {
  test('follows the link of the invitation, once', async () => {
    const token = await waitForLink(suite, buyer.email);
    client = await acceptInvitation(suite, buyer.email, token);
    expect(client.user).toMatchObject({
      kind: 'client',
      role: { key: 'client' },
      workspace: { id: owner.user.workspace.id },
    });
    await expect(acceptInvitation(suite, buyer.email, token)).rejects.toThrow('422');
  });

  test('sees their own deal, without its history', async () => {
    expect((await client.get('/api/deals')).body).toMatchObject({ data: [{ id: deal_id }], meta: { total: 1 } });
    const shown = await dataOf(client.get(`/api/deal/show/${deal_id}`));
    expect(shown).toMatchObject({ status: 'won', price: '1250.50' });
    expect(JSON.stringify(shown)).not.toContain('Likes tea');
  });

  test('sees no other deal, no lead and no staff', async () => {
    const others = (await owner.get('/api/deals?per_page=100&fields=id')).body.data.map(({ id }: { id: string }) => id);
    const foreign = others.filter((id: string) => id !== deal_id).slice(0, 10);
    expect(foreign).toHaveLength(10);
    for (const id of foreign) expect((await client.get(`/api/deal/show/${id}`)).status).toBe(404);
    expect((await client.get('/api/leads')).status).toBe(403);
    expect((await client.get('/api/users')).status).toBe(403);
    expect((await client.get('/api/client-user')).body.data).toMatchObject([{ id: client.user.id }]);
    expect((await client.post(`/api/deal/update/${deal_id}`, { price: '1.00' })).status).toBe(403);
  });
});

test('the auditor finds nothing wrong afterwards', async () => {
  expect(await findAllViolations(suite)).toEqual([]);
}, 240_000);
