/** Finance, as far as inventory asks it: which accounts may be used. */
import { randomUUID } from 'node:crypto';
import { Fault, serveRpc } from '@suite/chassis';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';

const unasked = () => Promise.reject(new Error('inventory does not ask for this.'));

export function financeStandIn() {
  /** The accounts that there are, by what they may be used for. */
  const accounts = new Map<string, string>();
  /** What the next calls come to, instead of an answer. */
  const trouble: 'down'[] = [];
  const served = serveRpc(FinanceServiceDefinition, {
    checkAccounts: ({ uses }) => {
      if (trouble.shift()) throw new Fault(503, 'finance_unavailable', 'Finance is down.');
      const answers = uses.map(({ account_id, use }) => {
        const usable = accounts.get(account_id) === use;
        return { usable, reason: usable ? '' : 'There is no such account.' };
      });
      return Promise.resolve({ answers });
    },
    batchGetCustomers: unasked,
    listCustomers: unasked,
    createDraftInvoice: unasked,
    postJournal: unasked,
    getPartyBalances: unasked,
    checkPeriodOpen: unasked,
  });
  /** Opens an account for a use; returns its id. */
  function account(use: 'income' | 'expense' | 'stock'): string {
    const id = randomUUID();
    accounts.set(id, use);
    return id;
  }
  return { served, account, trouble };
}
