import { everybody, follows, linked, nobody, staffAnd, staffOnly, visibility } from '@suite/chassis';

/** A row that names no record of a table, or one that the caller sees. */
const noneOrVisible = (column: string, table: string): string =>
  `(meetings.${column} IS NULL OR EXISTS (SELECT FROM ${table} WHERE ${table}.id = meetings.${column}))`;

/** Who arranged a meeting or is asked to it sees it, whatever it is about. */
const takesPart = (people: 'people' | 'actor'): string =>
  `(meetings.created_by = ANY (${people === 'actor' ? 'ARRAY[actor]' : 'people'}) OR meetings.id IN ${linked('meeting_attendees', 'meeting_id', 'user_id', people)})`;

/** What a meeting is about must be visible, too: a meeting tells of it. */
const aboutWhatIsVisible = [
  noneOrVisible('lead_id', 'leads'),
  noneOrVisible('deal_id', 'deals'),
  noneOrVisible('opportunity_id', 'opportunities'),
  noneOrVisible('quote_id', 'quotes'),
  noneOrVisible('sales_order_id', 'sales_orders'),
  "(meetings.customer_id IS NULL OR (SELECT suite_reach('customer')) <> 'none')",
].join(' AND ');

const gathered = { lead_id: 'leads', deal_id: 'deals' };
const offers = { quote_id: 'quotes', sales_order_id: 'sales_orders', proposal_id: 'proposals' };

/** Who may see what of leads, deals and sales. */
export const whoSeesWhat = [
  visibility('leads', {
    noun: 'lead',
    limited: `leads.owner_id = ANY (people) OR leads.id IN ${linked('lead_users', 'lead_id', 'user_id')}`,
  }),
  visibility('deals', {
    noun: 'deal',
    limited: `deals.id IN ${linked('deal_users', 'deal_id', 'user_id')}`,
    client: `deals.id IN ${linked('deal_clients', 'deal_id', 'client_id', 'actor')}`,
  }),
  visibility('opportunities', { noun: 'opportunity', limited: 'opportunities.owner_id = ANY (people)' }),
  visibility('quotes', { noun: 'quote', limited: 'quotes.created_by = ANY (people)' }),
  visibility('sales_orders', { noun: 'sales_order', limited: 'sales_orders.created_by = ANY (people)' }),
  visibility('proposals', {
    noun: 'proposal',
    limited: 'proposals.created_by = ANY (people)',
    client: "proposals.customer_user_id = actor AND proposals.status <> 'draft'",
  }),
  visibility('meetings', {
    noun: 'meeting',
    all: `${takesPart('actor')} OR (${aboutWhatIsVisible})`,
    limited: takesPart('people'),
  }),

  follows('deal_clients', { deal_id: 'deals' }, { outsiders: true }),
  follows('deal_users', { deal_id: 'deals' }, { outsiders: true }),
  follows('deal_products', { deal_id: 'deals' }, { outsiders: true }),
  follows('files', gathered, { outsiders: true }),
  ...['tasks', 'calls', 'discussions', 'emails', 'activities', 'stage_changes'].map((table) =>
    follows(table, gathered),
  ),
  ...['lead_labels', 'lead_sources', 'lead_users', 'lead_products'].map((table) =>
    follows(table, { lead_id: 'leads' }),
  ),
  ...['deal_labels', 'deal_sources'].map((table) => follows(table, { deal_id: 'deals' })),

  follows('sales_lines', offers, { outsiders: true }),
  follows('order_invoices', { sales_order_id: 'sales_orders' }),
  follows('order_reservations', { sales_order_id: 'sales_orders' }),
  follows('meeting_attendees', { meeting_id: 'meetings' }),

  // Clients learn who works here and with whom they share a deal, and the names of the stages of their deals.
  staffAnd('users', {
    client: "users.kind IN ('owner', 'staff') OR users.id = actor OR users.id IN (SELECT client_id FROM deal_clients)",
    vendor: "users.kind IN ('owner', 'staff') OR users.id = actor",
  }),
  ...everybody('pipelines', 'deal_stages'),
  ...staffOnly('lead_stages', 'labels', 'sources'),
  ...nobody('discarded_files', 'number_counters', 'given_numbers'),
];
