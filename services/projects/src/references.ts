/**
 * Columns of projects that store IDs of other services' records, and records of projects that other services reference.
 */
import { ownedKind, referencesTo } from '@suite/chassis/visibility';
import { fetchClients, fetchStaff } from '@suite/user-copies';
import { requestTaxes } from './billing/billing/billed-draft.ts';
import { requestInvitedUsers } from './work/clients/client.ts';
import { requestCustomer } from './work/clients/customer.ts';
import { requestMembers } from './projects/members/member.ts';
import type { Rpc } from './operations.ts';

export const references = [
  referencesTo('finance.customer', {
    checked_by: [requestCustomer, requestInvitedUsers],
    columns: { projects: 'customer_id', project_clients: 'customer_id', billing_runs: 'customer_id' },
  }),
  referencesTo('finance.sales_invoice', {
    checked_by: 'Invoices are created through finance.',
    columns: { time_entries: 'invoice_id', billing_runs: 'sales_invoice_id' },
    released: 'Only drafts can be deleted. The deletion event clears the columns.',
  }),
  referencesTo('inventory.tax', { checked_by: [requestTaxes], columns: {} }),
  referencesTo<Rpc>('crm.deal', {
    async usable(rpc, deal_ids) {
      const { deals } = await rpc.crm.batchGetDeals({ deal_ids });
      return deals.map(({ deal_id }) => deal_id);
    },
    columns: { projects: 'deal_id' },
  }),
  referencesTo('platform.user', {
    checked_by: [fetchStaff, fetchClients, requestMembers],
    columns: { users: 'id', member_time: 'user_id' },
    released: "Deleting a user erases the copy's personal data. The copy remains as the author of old records.",
  }),
];

export const owns = [
  ownedKind('projects.project', {
    table: 'projects',
    referrers: ['finance'],
    instead: 'Archive it with `active: false`.',
  }),
];
