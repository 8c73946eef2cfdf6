import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { audit } from '@suite/auditor';
import { connectRpc } from '@suite/chassis/testing';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { keysOf, forwardedCaller } from '@suite/testing';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { orderFactory, text } from '../../../test/order-requests.ts';
import { brokenBy } from '../../../test/tampering.ts';
import { tradingSteps } from '../../../test/trade.ts';
import { checks } from './audit.ts';

// The duration of all rules over all workspaces depends on the machine.
jest.setTimeout(120_000);

const { serving, inventory, company } = await openFinance();
const definition = { definition: FinanceServiceDefinition, address: `127.0.0.1:${serving.grpc_port}` };
const rpc = connectRpc({ finance: definition }, keysOf('crm'));
afterAll(() => rpc.close());
let ours: Company;

/** Order of three units, invoiced in two parts, one of them a draft. */
beforeAll(async () => {
  ours = await company();
  const order = orderFactory(
    rpc.as(forwardedCaller('crm', ours.owner.caller), randomUUID()).finance,
    tradingSteps(ours, inventory),
  );
  const { convert } = await order([text('Engine', '100', '3')], { discount: { type: 'amount', value: '10' } });
  const first = await convert();
  const lines = [{ description: 'Engine', qty: '2', unit_price: '100' }];
  await ours.owner.post(`/api/sales-invoice/update/${first}`, { lines });
  await ours.owner.post(`/api/sales-invoice/post/${first}`, {});
  await convert();
});

const refers = 'a line that bills an order or proposal refers to one of its lines';
const within = 'posted invoices bill no more than was ordered, unless they allow it';
const adds = 'invoices that bill a whole order line on agreed terms add up to it';
const sums = 'sales_invoices are the sum of their lines';

describe('the agreement checks', () => {
  test.each([
    ['a reference to another line', 'UPDATE invoice_lines SET source_id = gen_random_uuid()', [refers]],
    ['an order that was forgotten', 'DELETE FROM agreements', [refers]],
    ['an invoice for more than was ordered', 'UPDATE invoice_lines SET qty = qty + 2', [within]],
    ['a discount that is granted twice', 'UPDATE invoice_lines SET header_discount = 10', [adds]],
    [
      'a part with another total',
      'UPDATE invoice_lines SET gross = gross + 1, net = net + 1, total = total + 1',
      [sums, adds],
    ],
    ['nothing', 'SELECT 1', []],
  ])('find %s in the audit and the integrity report', async (_, tampering, rules) => {
    const found = await brokenBy(serving, ours.workspace, tampering);
    expect(found).toEqual(expect.arrayContaining(rules));
    expect(found.length > 0).toBe(rules.length > 0);
    expect(await audit(serving.database_url, checks, ours.workspace)).toEqual([]);
  });

  test('are part of the integrity report, and pass', async () => {
    const { body } = await ours.owner.get('/api/accounting/integrity');
    const named = body.data.checks.filter(({ name }: { name: string }) => [refers, within, adds].includes(name));
    expect(named).toMatchObject([refers, within, adds].map((name) => ({ name, holds: true, violations: [] })));
  });
});
