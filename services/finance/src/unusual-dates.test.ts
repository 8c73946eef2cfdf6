import { describe, expect, test } from '@jest/globals';
import { operationsOf } from '@suite/chassis/declarations';
import type { Reply } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { type Company, openFinance } from '../test/fixture.ts';
import { finance } from './finance.ts';

const fixture = await openFinance();

const dated = [...operationsOf(finance)].flatMap(([id, { method, path, reply }]) =>
  reply.days && method === 'POST'
    ? [{ id, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`) }]
    : [],
);

/** Returns a body with all its days a century earlier. */
const longAgo = (body: object = {}): object =>
  JSON.parse(JSON.stringify(body).replaceAll(/"20(\d\d-\d\d-\d\d)"/g, '"19$1"')) as object;

/** Returns the same company with a century-old calendar, and the warnings of each operation that declares its day. */
function aCenturyAgo(company: Company) {
  const warnings = new Map<string, unknown[]>();
  const post = async (path: string, body?: object): Promise<Reply> => {
    const sent = longAgo(body);
    const reply = await company.owner.post(path, sent);
    const called = dated.find(({ pattern }) => pattern.test(path));
    const hasDay = called && (/"19\d\d-/.test(JSON.stringify(sent)) || JSON.stringify(sent) === '{}');
    if (hasDay && reply.status < 300) {
      const { warnings: own, effects } = reply.body.data;
      warnings.set(called.id, [...(warnings.get(called.id) ?? []), own ?? effects.warnings]);
    } else if (called && reply.status >= 400) warnings.set(`${called.id} ${JSON.stringify(reply.body)}`, []);
    return reply;
  };
  return { company: { ...company, owner: { ...company.owner, post } }, warnings };
}

describe('an operation that numbers or posts', () => {
  test('warns about a day a century ago', async () => {
    const { company, warnings } = aCenturyAgo(await fixture.company());
    await createOneOfEach(company, fixture);
    const { owner } = company;
    const list = async (path: string) => (await owner.get(path)).body.data;
    const date = '2026-04-01';
    const [{ id: bank_account_id }] = await list('/api/bank-accounts?sort=created_at');
    const money = { bank_account_id, amount: '1.00', date };
    for (const [kind, notes] of [
      ['customer', 'credit-notes'],
      ['vendor', 'debit-notes'],
    ] as const) {
      const payments = () => list(`/api/${kind}-payments?expand=allocations,refunds`);
      const isAdvance = ({ refunds }: { refunds: object[] }) => refunds.length > 0;
      const advance = (await payments()).find(isAdvance);
      await owner.post(`/api/${kind}-payments/refund/${advance.id}`, money);
      const { refunds } = (await payments()).find(isAdvance);
      const { id: refund } = refunds.find((made: { date: string }) => made.date.startsWith('19'));
      await owner.post(`/api/${kind}-refunds/reverse/${refund}`, { date });
      const paid = (await payments()).find((payment: { refunds: object[] }) => !isAdvance(payment));
      const [{ id, invoice_id }] = paid.allocations;
      await owner.post(`/api/${kind}-payments/deallocate/${paid.id}`, { allocation_ids: [id], date });
      const again = { allocations: [{ invoice_id, amount: '1.00' }], date };
      await owner.post(`/api/${kind}-payments/allocate/${paid.id}`, again);
      const [note] = await list(`/api/${notes}?expand=applications`);
      const [applied] = note.applications;
      await owner.post(`/api/${notes}/unapply/${note.id}`, { allocation_ids: [applied.id], date });
      await owner.post(`/api/${notes}/refund/${note.id}`, money);
      const parts = [{ invoice_id: applied.invoice_id, amount: '1.00' }];
      await owner.post(`/api/${notes}/apply/${note.id}`, { allocations: parts, date });
    }
    const [{ id: commission }] = await list('/api/commissions');
    await owner.post(`/api/commission/approve/${commission}`);
    await owner.post(`/api/commission/pay/${commission}`, { bank_account_id, date });
    const [{ from_account_id, to_account_id }] = await list('/api/bank-transfers');
    const transfer = { from_account_id, to_account_id, amount: '1.00', date };
    const { id: transfer_id } = (await owner.post('/api/bank-transfers/create', transfer)).body.data;
    await owner.post(`/api/bank-transfers/reverse/${transfer_id}`, {});
    for (const noun of ['revenues', 'expenses']) {
      const [{ id }] = await list(`/api/${noun}?status=posted&sort=created_at`);
      await owner.post(`/api/${noun}/reverse/${id}`, { date });
    }
    for (const noun of ['sales-invoice', 'purchase-invoice']) {
      const [{ id }] = await list(`/api/${noun}?status=draft`);
      await owner.post(`/api/${noun}/post/${id}`);
      await owner.post(`/api/${noun}/cancel/${id}`, { date });
    }
    const failed = [...warnings].filter(([, lists]) => lists.length === 0);
    expect(failed).toEqual([]);
    for (const [id, lists] of warnings)
      for (const found of lists) expect({ id, found }).toMatchObject({ id, found: [{ code: 'unusual_date' }] });
    expect([...warnings.keys()].toSorted()).toEqual(dated.map(({ id }) => id).toSorted());
  }, 120_000);
});
