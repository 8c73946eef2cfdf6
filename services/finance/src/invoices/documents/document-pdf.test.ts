import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, pagesOf, imagesOf } from '@suite/testing';
import { type Company, everything, openFinance } from '../../../test/fixture.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { inventory, platform, company } = await openFinance();
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
  platform.letters.down = false;
  platform.letters.asked = 0;
});

const PDF = { headers: { accept: 'application/pdf' } };
const invoicePath = (id: string) => `/api/sales-invoice/show/${id}`;
const notePath = (id: string) => `/api/credit-notes/show/${id}`;
const read = async (path: string, by: Member = ours.owner) =>
  (await pagesOf((await by.get(path, PDF)).content)).join('\n');

/** Drafts an invoice of three engines and an installation, 184.76 in total, for a customer with an address. */
async function createDraft() {
  const invoice = await trade.createFirstInvoice();
  const { customer } = invoice;
  const known = { company: 'Initech Ltd', billing_address: '4120 Freidrich Lane\nAustin', tax_number: 'US-99' };
  await ours.owner.post(`/api/customers/update/${customer.id}`, known);
  const printedText = { reference: 'PO 4711', notes: 'Thank you.' };
  return (await ours.owner.post(`/api/sales-invoice/update/${invoice.id}`, printedText)).body.data;
}

/** Posts the invoice of 184.76. */
async function createPosted() {
  const invoice = await createDraft();
  await trade.act('sales-invoice', 'post', invoice.id);
  return invoice;
}

/** Returns one unit of a line. Returns the credit note: by default 21.59, for one of three engines (G8). */
async function createCreditNote(of: typeof createPosted = createPosted, line = 0) {
  const invoice = await of();
  const lines = [{ invoice_line_id: invoice.lines[line].id, qty: '1' }];
  const input = { invoice_id: invoice.id, return_date: '2026-03-20', reason: 'defective', lines };
  const { id } = (await trade.make('sales-invoice-return', input)).body.data;
  for (const verb of ['approve', 'complete']) await trade.act('sales-invoice-return', verb, id);
  const [note] = (await ours.owner.get(`/api/credit-notes?sales_return_id=${id}`)).body.data;
  return { ...note, invoice };
}

/** Creates an invoice with a 10% discount on a price that includes its tax, and on one that does not. */
async function createDiscounted() {
  const included = trade.tax({ name: 'Sales tax', inclusive: true });
  const onTop = trade.tax();
  const { id: customer_id } = await trade.customer();
  const lines = [
    { description: 'Book', qty: '1', unit_price: '120.00', tax_ids: [included.tax_id] },
    { description: 'Advice', qty: '1', unit_price: '100.00', tax_ids: [onTop.tax_id] },
  ];
  const discount = { type: 'percent', value: '10' };
  const input = { customer_id, invoice_date: '2026-03-10', discount, lines };
  const invoice = (await trade.make('sales-invoice', input)).body.data;
  await trade.act('sales-invoice', 'post', invoice.id);
  return invoice;
}

describe('a discount of the whole invoice', () => {
  test('is a line of the totals, and lines show amounts before it', async () => {
    const { id } = await createDiscounted();
    const text = await read(invoicePath(id));
    expect(text).toMatch(/Book 1 120\.00 Sales tax 20 % incl\. 120\.00/);
    expect(text).toMatch(/Advice 1 100\.00 VAT 20 % 100\.00/);
    expect(text).toMatch(
      /Subtotal 220\.00\nDiscount 10 % −22\.00\nAfter discount 198\.00\nVAT 20 % on 90\.00 18\.00\n/,
    );
    expect(text).toMatch(/Total 216\.00 EUR\nIncludes Sales tax 20 % on 90\.00 18\.00\nNet, excluding tax 180\.00/);
  });

  test('is also deducted from the credit note, in proportion', async () => {
    const { id } = await createCreditNote(createDiscounted, 1);
    const text = await read(notePath(id));
    expect(text).toMatch(/Advice 1 100\.00 VAT 20 % 100\.00/);
    expect(text).toMatch(
      /Subtotal 100\.00\nDiscount −10\.00\nNet 90\.00\nVAT 20 % on 90\.00 18\.00\nTotal 108\.00 EUR/,
    );
  });
});

describe('an invoice as a PDF', () => {
  test('shows the amounts of three engines and an installation, 184.76 in total', async () => {
    const { id } = await createPosted();
    const { status, headers, content } = await ours.owner.get(invoicePath(id), PDF);
    expect({ status, type: headers.get('content-type'), vary: headers.get('vary') }).toEqual({
      status: 200,
      type: 'application/pdf',
      vary: 'Accept',
    });
    expect(headers.get('content-disposition')).toBe('inline; filename="Invoice-INV-2026-00001.pdf"');
    expect(Number(headers.get('content-length'))).toBe(content.length);
    const text = (await pagesOf(content)).join('\n');
    for (const printedText of [
      'INV-2026-00001',
      'Northwind GmbH',
      '20457 Hamburg',
      'DE 123 456 789',
      'IBAN DE89 3704',
      'Thank you.',
      'Initech Ltd',
      '4120 Freidrich Lane',
      'Austin',
      'US-99',
      'PO 4711',
      '10 Mar 2026',
      '9 Apr 2026',
      'Engine',
      '19.99',
      '10 %',
      'VAT 20 %',
      '53.97',
      'Installation',
      '100.00',
      '153.97',
      'VAT 20 % on 153.97',
      '30.79',
      '184.76 EUR',
    ])
      expect(text).toContain(printedText);
    expect(text).toMatch(/Amount due 184\.76 EUR/);
    expect(text).not.toContain('DRAFT');
  });

  test("is in the customer's language, with the country of the address", async () => {
    const { id, customer } = await createDraft();
    await ours.owner.post(`/api/customers/update/${customer.id}`, { language: 'de-AT', country: 'US' });
    const { headers, content } = await ours.owner.get(invoicePath(id), PDF);
    const text = (await pagesOf(content)).join('\n');
    for (const written of ['Rechnung', 'ENTWURF', 'Fällig am', 'Vereinigte Staaten', '19,99'])
      expect(text).toContain(written);
    expect(text).not.toContain('Invoice');
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''Rechnung-entwurf.pdf");
  });

  test.each([
    ['language', 'xx-'],
    ['country', 'XX'],
  ])('rejects an unknown %s of a customer', async (field, value) => {
    const customer = await trade.customer();
    const reply = await ours.owner.post(`/api/customers/update/${customer.id}`, { [field]: value });
    expect(reply).toMatchObject({ status: 422, body: { errors: { [field]: expect.any(Array) } } });
  });

  test('shows the unit of a line without a product, and that no tax is charged', async () => {
    const customer = await trade.customer();
    const lines = [{ description: 'Advice', unit_name: 'h', qty: '1.5', unit_price: '80.00' }];
    const input = { customer_id: customer.id, invoice_date: '2026-03-10', lines };
    const { body } = await trade.make('sales-invoice', input);
    expect(body.data.lines).toMatchObject([{ unit_name: 'h' }]);
    const text = await read(invoicePath(body.data.id));
    expect(text).toMatch(/Advice 1\.5 h 80\.00 120\.00/);
    expect(text).toContain('No tax is charged');
  });

  test('is marked as a draft until it is posted', async () => {
    const { id } = await createDraft();
    const { headers, content } = await ours.owner.get(invoicePath(id), PDF);
    const text = (await pagesOf(content)).join('\n');
    expect(text).toContain('DRAFT');
    expect(text).toContain('184.76 EUR');
    expect(text).not.toContain('Amount due');
    expect(headers.get('content-disposition')).toBe('inline; filename="Invoice-draft.pdf"');
  });

  test('shows the credited and the remaining amount', async () => {
    const { invoice } = await createCreditNote();
    const text = await read(invoicePath(invoice.id));
    expect(text).toMatch(/Credited 21\.59 EUR/);
    expect(text).toMatch(/Amount due 163\.17 EUR/);
  });

  test('has as many pages as its lines need', async () => {
    const customer = await trade.customer();
    const lines = Array.from({ length: 60 }, (_, at) => ({ description: `Part ${at}.`, qty: '1', unit_price: '1.00' }));
    const input = { customer_id: customer.id, invoice_date: '2026-03-10', lines };
    const { id } = (await trade.make('sales-invoice', input)).body.data;
    const text = await read(invoicePath(id));
    for (const { description } of lines) expect(text).toContain(description);
    expect(text).toMatch(/Page 2 of \d/);
    expect(text).toContain('60.00 EUR');
  });

  test('has the logo', async () => {
    const { id } = await createPosted();
    const logo =
      'iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWPgLmqFIwZkDgBlGggRnwepGAAAAABJRU5ErkJggg==';
    platform.letters.head.logo = Buffer.from(logo, 'base64');
    const { content } = await ours.owner.get(invoicePath(id), PDF);
    platform.letters.head.logo = Buffer.alloc(0);
    expect(await imagesOf(content)).toEqual([{ width: 4, height: 2 }]);
  });
});

test('a credit note PDF shows the returned lines and the invoice', async () => {
  const note = await createCreditNote();
  const { body } = await ours.owner.get(notePath(note.id));
  expect(body.data).toMatchObject({
    number: note.number,
    invoice_number: 'INV-2026-00001',
    subtotal: '19.99',
    discount_total: '2.00',
    net_total: '17.99',
    tax_total: '3.60',
    total: '21.59',
    applications: [{ amount: '21.59' }],
    lines: [{ product_name: 'Engine', qty: '1', unit_price: '19.99', net: '17.99', discount: { type: 'percent' } }],
  });
  const text = await read(notePath(note.id));
  for (const printedText of [
    'Credit note',
    note.number,
    'INV-2026-00001',
    'Initech Ltd',
    'Engine',
    '17.99',
    '3.60',
    '21.59 EUR',
  ])
    expect(text).toContain(printedText);
});

describe('the PDF', () => {
  test('is available only to users who may read the record', async () => {
    const { id, invoice } = await createCreditNote();
    const outsider = (await company()).owner;
    const others = everything.filter((right) => !/^sales_(invoice|return)\.view$/.test(right));
    const userWithoutView = ours.member({ can: others });
    platform.letters.asked = 0;
    for (const path of [invoicePath(invoice.id), notePath(id)]) {
      expect((await outsider.get(path, PDF)).status).toBe(404);
      expect((await userWithoutView.get(path, PDF)).status).toBe(403);
    }
    expect(platform.letters.asked).toBe(0);
  });

  test('is unavailable while platform is down, without affecting other responses', async () => {
    const { id } = await createDraft();
    platform.letters.down = true;
    const refused = await ours.owner.get(invoicePath(id), PDF);
    expect(refused).toMatchObject({ status: 503, body: { code: 'platform_unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await ours.owner.get(invoicePath(id))).status).toBe(200);
  });

  test('is requested from platform only when a PDF is accepted', async () => {
    const { id } = await createDraft();
    for (const accept of ['application/json', '*/*', 'application/pdf;q=0.5, application/json'])
      expect((await ours.owner.get(invoicePath(id), { headers: { accept } })).body.data.total).toBe('184.76');
    expect(platform.letters.asked).toBe(0);
    await ours.owner.get(invoicePath(id), PDF);
    expect(platform.letters.asked).toBe(1);
  });
});
