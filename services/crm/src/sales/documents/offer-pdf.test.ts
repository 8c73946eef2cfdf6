import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, pagesOf, freezeClock } from '@suite/testing';
import { everything, openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';

const { platform, finance, shop: openShop } = await openCrm();
let shop: Shop;
let sales: ReturnType<typeof salesSteps>;
beforeEach(async () => {
  shop = await openShop();
  sales = salesSteps(shop);
  platform.letters.down = false;
  platform.letters.asked = 0;
});

const PDF = { headers: { accept: 'application/pdf' } };
const quotePath = (id: string) => `/api/sales/quotes/${id}`;
const proposalPath = (id: string) => `/api/sales-proposal/show/${id}`;
const read = async (path: string, by: Member = shop.owner) =>
  (await pagesOf((await by.get(path, PDF)).content)).join('\n');

/** Returns three engines at 19.99 less 10 %, and advice at 100.00, with 20 % VAT: 184.76 (worked example G1). */
function lines() {
  const { tax_id } = shop.stock.tax({ name: 'VAT', rate: '20' });
  const engine = { description: 'Engine', qty: '3', unit_price: '19.99', discount: { type: 'percent', value: '10' } };
  return [
    { ...engine, tax_ids: [tax_id] },
    { ...sales.text, tax_ids: [tax_id] },
  ];
}
const createAddressedCustomer = () =>
  shop.customer({ name: 'Ada Lovelace', company: 'Engines Ltd', billing_address: '12 St James Square' });

const SENDER_AND_AMOUNTS = [
  'Northwind GmbH',
  'Speicherstraße 12 · 20457 Hamburg',
  'Engine',
  '19.99',
  '10 %',
  'VAT 20 %',
  '53.97',
  'Advice',
  '153.97',
  'VAT 20 % on 153.97',
  '30.79',
  '184.76 EUR',
  'Page 1 of 1',
];

describe('a quote as a PDF', () => {
  test('shows the offer, its validity and the recipient', async () => {
    const address = { billing_address: '12 St James Square\nLondon', shipping_address: 'Dock 4\nLondon' };
    const input = { lines: lines(), issue_date: '2026-11-20', contact: 'Ada Lovelace', terms: 'Ex works.', ...address };
    const { id } = await sales.quote(input);
    await sales.updateQuote(id, { status: 'sent' });
    const { number, customer_name } = await sales.showQuote(id);
    const { status, headers, content } = await shop.owner.get(quotePath(id), PDF);
    expect([status, headers.get('content-disposition')]).toEqual([200, `inline; filename="Quote-${number}.pdf"`]);
    const text = (await pagesOf(content)).join('\n');
    const printedTexts = ['Quote', number, customer_name, 'Ada Lovelace', '12 St James Square', 'Dock 4', 'Ex works.'];
    for (const each of [...SENDER_AND_AMOUNTS, ...printedTexts, '20 Nov 2026', '31 Jan 2099'])
      expect(text).toContain(each);
    for (const nothing of ['DRAFT', 'Revision', 'Amount due']) expect(text).not.toContain(nothing);
  });

  test('is in the language of the customer, and can be accepted once sent', async () => {
    const customer_id = shop.customer({ language: 'fr', country: 'FR' });
    const { id } = await sales.quote({ customer_id, lines: lines() });
    expect(await read(quotePath(id))).not.toContain('Acceptation');
    await sales.updateQuote(id, { status: 'sent' });
    const text = await read(quotePath(id));
    for (const written of ['Devis', 'Valable', 'France', '19,99', 'Acceptation', 'Bon pour accord.', 'Signature'])
      expect(text).toContain(written);
  });

  test('shows the draft mark and the revision', async () => {
    const { id } = await sales.quote();
    await sales.updateQuote(id, { status: 'sent' });
    await sales.updateQuote(id, { terms: 'Others.' });
    const text = await read(quotePath(id));
    expect(text).toContain('DRAFT');
    expect(text).toMatch(/Revision 2/);
  });

  test('shows that it was cancelled', async () => {
    const { id } = await sales.quote();
    await sales.updateQuote(id, { status: 'cancelled' });
    expect(await read(quotePath(id))).toContain('CANCELLED');
  });
});

describe('a proposal as a PDF', () => {
  test('has the customer address from finance, and omits internal notes', async () => {
    const input = { customer_id: createAddressedCustomer(), lines: lines(), terms: 'Ex works.', notes: 'Be firm' };
    const { id } = await sales.proposal({ ...input, issue_date: '2026-11-20' });
    await sales.propose(id, 'sent');
    const { number } = await sales.showProposal(id);
    const text = await read(proposalPath(id));
    const printedTexts = [
      'Proposal',
      number,
      'Engines Ltd',
      'Ada Lovelace',
      '12 St James Square',
      'Ex works.',
      '31 Jan 2099',
    ];
    for (const each of [...SENDER_AND_AMOUNTS, ...printedTexts]) expect(text).toContain(each);
    for (const nothing of ['Be firm', 'DRAFT']) expect(text).not.toContain(nothing);
  });

  test('is marked as expired after its validity', async () => {
    const { id } = await sales.proposal({ issue_date: '2026-01-01', valid_until: '2099-01-31' });
    await sales.propose(id, 'sent');
    freezeClock('2099-02-02T12:00:00Z');
    expect(await read(proposalPath(id))).toContain('EXPIRED');
  });

  test('can be read only by the client that it was sent to', async () => {
    const user_id = shop.hire({ kind: 'client' });
    const { id } = await sales.proposal({ customer_id: shop.customer({ user_id }) });
    const client = shop.member({ can: ['proposal.view'], kind: 'client', user_id });
    expect((await client.get(proposalPath(id), PDF)).status).toBe(404);
    await sales.propose(id, 'sent');
    expect(await read(proposalPath(id), client)).toContain('Proposal');
    const other = shop.member({ can: ['proposal.view'], kind: 'client', user_id: shop.hire({ kind: 'client' }) });
    expect((await other.get(proposalPath(id), PDF)).status).toBe(404);
  });
});

test('the discount of an offer is a line of the totals, and lines exclude it', async () => {
  const { tax_id } = shop.stock.tax({ name: 'VAT', rate: '20' });
  const input = { lines: [{ ...sales.text, tax_ids: [tax_id] }], discount: { type: 'amount', value: '10.00' } };
  const paths = [quotePath((await sales.quote(input)).id), proposalPath((await sales.proposal(input)).id)];
  for (const path of paths) {
    const text = await read(path);
    expect(text).toMatch(/Advice 1 100\.00 VAT 20 % 100\.00/);
    expect(text).toMatch(
      /Subtotal 100\.00\nDiscount −10\.00\nNet 90\.00\nVAT 20 % on 90\.00 18\.00\nTotal 108\.00 EUR/,
    );
  }
});

describe('the PDF', () => {
  test('is available only to users who may read the record', async () => {
    const paths = [quotePath((await sales.quote()).id), proposalPath((await sales.proposal()).id)];
    const outsider = (await openShop()).owner;
    const userWithoutView = shop.member({ can: everything.filter((right) => !/^(quote|proposal)\.view$/.test(right)) });
    const owner = shop.member({ record_scopes: { quote: 'own', proposal: 'own' } });
    for (const path of paths) {
      const by = [outsider, userWithoutView, owner];
      const replies = await Promise.all(by.map((member) => member.get(path, PDF)));
      expect(replies.map(({ status }) => status)).toEqual([404, 403, 404]);
    }
    expect(platform.letters.asked).toBe(0);
  });

  test('is unavailable while platform is down, without affecting other responses', async () => {
    const { id } = await sales.quote();
    platform.letters.down = true;
    expect(await shop.owner.get(quotePath(id), PDF)).toMatchObject({
      status: 503,
      body: { code: 'platform_unavailable' },
    });
    expect((await shop.owner.get(quotePath(id))).status).toBe(200);
  });

  test('requests nothing from other services when JSON is accepted', async () => {
    const { id } = await sales.proposal();
    const calls = finance.calls.length;
    const { body } = await shop.owner.get(proposalPath(id), { headers: { accept: 'application/json, */*;q=0.5' } });
    expect(body.data.id).toBe(id);
    expect([platform.letters.asked, finance.calls.length]).toEqual([0, calls]);
  });
});

describe('a sales order as a PDF', () => {
  const orderPath = (id: string) => `/api/sales/sales-orders/${id}`;

  test('confirms the order to the customer, and omits internal notes', async () => {
    const input = { order_date: '2026-11-20', delivery_date: '2099-01-31', reference: 'PO 4711', notes: 'Be firm' };
    const addresses = { billing_address: '12 St James Square', shipping_address: 'Dock 4' };
    const { id } = await sales.order({
      ...input,
      ...addresses,
      customer_id: createAddressedCustomer(),
      lines: lines(),
    });
    expect(await read(orderPath(id))).toContain('DRAFT');
    await sales.updateOrder(id, { status: 'confirmed' });
    const { number } = await sales.showOrder(id);
    const text = await read(orderPath(id));
    const printedTexts = ['Order confirmation', number, 'Engines Ltd', '12 St James Square', 'Dock 4', 'PO 4711'];
    for (const each of [...SENDER_AND_AMOUNTS, ...printedTexts, '20 Nov 2026', '31 Jan 2099'])
      expect(text).toContain(each);
    for (const nothing of ['Be firm', 'DRAFT', 'Amount due']) expect(text).not.toContain(nothing);
  });

  test('requires permission to view orders', async () => {
    const { id } = await sales.order({ customer_id: createAddressedCustomer(), lines: lines() });
    const colleague = shop.member({ can: ['quote.view'] });
    expect((await colleague.get(orderPath(id), PDF)).status).toBe(403);
  });
});
