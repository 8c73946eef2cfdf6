import {
  allOf,
  anyOf,
  allUsers,
  follows,
  isActor,
  linkedBy,
  hidden,
  noneOr,
  ownedBy,
  refersTo,
  sees,
  staffAnd,
  staffOnly,
  visibility,
} from '@suite/chassis/visibility';

/** Visibility rule for the organiser and the attendees of a meeting, regardless of its parent record. */
const isParticipant = anyOf(
  ownedBy('created_by'),
  linkedBy('meeting_attendees', { record: 'meeting_id', user: 'user_id' }),
);

/** A meeting shows its parent, so the parent must be visible, too. */
const parentIsVisible = allOf(
  noneOr(refersTo('lead_id', 'leads')),
  noneOr(refersTo('deal_id', 'deals')),
  noneOr(refersTo('opportunity_id', 'opportunities')),
  noneOr(refersTo('quote_id', 'quotes')),
  noneOr(refersTo('sales_order_id', 'sales_orders')),
  anyOf('meetings.customer_id IS NULL', sees('customer')),
);

const isStaff = "users.kind IN ('owner', 'staff')";
const RECORD_KEYS = { lead_id: 'leads', deal_id: 'deals' };
const DOCUMENT_KEYS = { quote_id: 'quotes', sales_order_id: 'sales_orders', proposal_id: 'proposals' };

/**
 * Visibility rules of leads, deals and sales. Users with the scope `all` see every record, unless `all` limits them.
 * `limited` are the records of users with the scope `own` or `team`. Clients and vendors see only the records of their
 * own rules (`client`, `outsiders`). The service does not start with a table without a rule.
 */
export const visibilityRules = [
  visibility('leads', {
    noun: 'lead',
    limited: anyOf(ownedBy('owner_id'), linkedBy('lead_users', { record: 'lead_id', user: 'user_id' })),
  }),
  visibility('deals', {
    noun: 'deal',
    limited: linkedBy('deal_users', { record: 'deal_id', user: 'user_id' }),
    client: linkedBy('deal_clients', { record: 'deal_id', user: 'client_id' }),
  }),
  visibility('opportunities', { noun: 'opportunity', limited: ownedBy('owner_id') }),
  visibility('quotes', { noun: 'quote', limited: ownedBy('created_by') }),
  visibility('sales_orders', { noun: 'sales_order', limited: ownedBy('created_by') }),
  visibility('proposals', {
    noun: 'proposal',
    limited: ownedBy('created_by'),
    // Current portal user of the customer, not the previous one.
    client: allOf(
      linkedBy('customer_links', { record: 'customer_id', user: 'user_id', column: 'customer_id' }),
      "proposals.status <> 'draft'",
    ),
  }),
  visibility('meetings', {
    noun: 'meeting',
    all: anyOf(isParticipant, parentIsVisible),
    limited: isParticipant,
  }),

  follows('deal_clients', { deal_id: 'deals' }, { outsiders: true }),
  follows('deal_users', { deal_id: 'deals' }, { outsiders: true }),
  follows('deal_products', { deal_id: 'deals' }, { outsiders: true }),
  follows('files', RECORD_KEYS, { outsiders: true }),
  ...['tasks', 'calls', 'discussions', 'emails', 'activities', 'stage_changes'].map((table) =>
    follows(table, RECORD_KEYS),
  ),
  ...['lead_labels', 'lead_sources', 'lead_users', 'lead_products', 'lead_consents'].map((table) =>
    follows(table, { lead_id: 'leads' }),
  ),
  ...['deal_labels', 'deal_sources'].map((table) => follows(table, { deal_id: 'deals' })),

  follows('sales_lines', DOCUMENT_KEYS, { outsiders: true }),
  follows('order_invoices', { sales_order_id: 'sales_orders' }),
  follows('order_reservations', { sales_order_id: 'sales_orders' }),
  follows('meeting_attendees', { meeting_id: 'meetings' }),

  // Clients see staff users, the users who share a deal with them, and the stage names of their deals.
  staffAnd('users', {
    client: anyOf(isStaff, isActor('id'), refersTo('id', 'deal_clients', 'client_id')),
    vendor: anyOf(isStaff, isActor('id')),
  }),
  ...allUsers('pipelines', 'deal_stages'),
  ...staffOnly('lead_stages', 'labels', 'sources', 'widgets', 'widget_tokens', 'widget_counts', 'customer_links'),
  ...hidden(
    'discarded_files',
    'number_counters',
    'given_numbers',
    'widget_hits',
    'widget_submissions',
    'widget_mails',
    'task_reminders',
  ),
];
