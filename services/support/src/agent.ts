import type { Caller } from '@suite/chassis';

/** Whether somebody is on the agents' side: owners, and staff who see all tickets. */
export const isAgent = ({ kind, permissions, record_scopes }: Caller): boolean =>
  (kind === 'owner' || kind === 'staff') &&
  permissions.includes('ticket.view') &&
  (record_scopes['ticket'] ?? 'all') === 'all';
