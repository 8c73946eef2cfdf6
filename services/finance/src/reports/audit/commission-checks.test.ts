import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { audit } from '@suite/auditor';
import { commissionSteps } from '../../../test/commissions.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { brokenBy } from '../../../test/tampering.ts';
import { checks } from './audit.ts';

// The duration of all rules over all workspaces depends on the machine.
jest.setTimeout(120_000);

const fixture = await openFinance();
let ours: Company;

/** Paid commission, partly reversed commission, and an invoice without an agent. */
beforeAll(async () => {
  ours = await fixture.company();
  const shop = commissionSteps(ours, fixture);
  const { id } = await shop.agent({ type: 'percent', rate: '5' });
  await shop.createInvoice(id, '1', '1000.00');
  const [line] = await shop.lines(id);
  await shop.approve(line.id);
  await shop.pay(line.id);
  await shop.complete(await shop.createReturn(await shop.createInvoice(id, '4', '500.00'), '1'));
  await shop.createInvoice(null, '1', '10.00');
});

const terms = 'only posted invoices of an agent have commission terms';
const earned = 'the commission of a sale is the sum of its commission lines';
const percentage = 'a sale with a plain percentage has earned it on its remaining part';
const lines = 'a commission line equals its postings, and is paid once all is paid';
const booked = 'posted commissions are in the journal, entry by entry';
const control = 'commissions payable are the sum of the outstanding commissions';

describe('the commission checks', () => {
  test.each([
    [
      'an agent named afterwards',
      'UPDATE sales_invoices SET agent_id = (SELECT id FROM agents WHERE workspace_id = sales_invoices.workspace_id) WHERE agent_id IS NULL',
      [terms],
    ],
    ['an agent who was forgotten', 'UPDATE sales_invoices SET agent_id = NULL', [terms]],
    ['too little earned', 'UPDATE commission_terms SET earned = earned - 5', [earned, percentage]],
    [
      'a line that is more',
      'UPDATE commission_lines SET amount = amount + 1 WHERE reversed > 0',
      [earned, lines, control],
    ],
    ['a reversal that was lost', "DELETE FROM commission_moves WHERE kind = 'reversal'", [lines, booked]],
    ['a payment that was lost', "DELETE FROM commission_moves WHERE kind = 'payment'", [lines, booked]],
    [
      'a line that was not paid',
      "UPDATE commission_lines SET status = 'approved', paid_at = NULL WHERE status = 'paid'",
      [lines, control],
    ],
    [
      'a return that is not counted',
      'UPDATE sales_returns SET net_total = 0, tax_total = 0, total = 0',
      [expect.stringContaining('sales_returns are the sum'), percentage],
    ],
    [
      'something booked past its line',
      `UPDATE journal_lines SET account_id = (SELECT id FROM gl_accounts AS account WHERE system_role = 'suspense' AND account.workspace_id = journal_lines.workspace_id)
      WHERE account_id IN (SELECT id FROM gl_accounts WHERE system_role = 'commission_payable')`,
      ['the hash chain is intact', booked, control],
    ],
    ['nothing', 'SELECT 1', []],
  ])('find %s', async (_, tampering, rules) => {
    expect(await brokenBy(fixture.serving, ours.workspace, tampering)).toEqual(rules);
    expect(await audit(fixture.serving.database_url, checks, ours.workspace)).toEqual([]);
  });
});
