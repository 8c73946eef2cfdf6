import { describe, test } from '@jest/globals';
import { expectTables } from '@suite/testing';
import { openCrm } from '../test/fixture.ts';
import type { Table } from './operations.ts';

const { serving } = await openCrm();

/** All names that the compiler accepts as a table. */
const NAMES = {
  activities: true,
  calls: true,
  customer_links: true,
  deal_clients: true,
  deal_labels: true,
  deal_products: true,
  deal_sources: true,
  deal_stages: true,
  deal_users: true,
  deals: true,
  discarded_files: true,
  discussions: true,
  emails: true,
  files: true,
  given_numbers: true,
  labels: true,
  lead_consents: true,
  lead_labels: true,
  lead_products: true,
  lead_sources: true,
  lead_stages: true,
  lead_users: true,
  leads: true,
  meeting_attendees: true,
  meetings: true,
  number_counters: true,
  opportunities: true,
  order_invoices: true,
  order_reservations: true,
  pipelines: true,
  proposals: true,
  quotes: true,
  sales_lines: true,
  sales_orders: true,
  sources: true,
  stage_changes: true,
  task_reminders: true,
  tasks: true,
  users: true,
  widget_counts: true,
  widget_hits: true,
  widget_mails: true,
  widget_submissions: true,
  widget_tokens: true,
  widgets: true,
} satisfies Record<Table, true>;

describe('a table name', () => {
  test('exists in the database if the compiler accepts it', () => expectTables(serving, NAMES));
});
