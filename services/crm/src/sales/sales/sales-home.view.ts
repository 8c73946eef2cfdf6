/** Metrics of the sales dashboard. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { clock, today } from '@suite/chassis/runtime';
import type { z } from 'zod';
import { roundToMinorUnit } from '@suite/document-lines';
import type { Db } from '../../operations.ts';
import type { SalesHome } from './sales-app.schema.ts';

type HomeRow = z.input<typeof SalesHome>;
type DashboardPart<Name extends keyof HomeRow> = NonNullable<HomeRow[Name]>;

/** Number of days before expiry in which an offer counts as expiring. */
const EXPIRING_DAYS = 7;

/** Returns the start of the current month or day in the caller's time zone. */
const startOf = (of: 'month' | 'day', { timezone }: Caller): Sql =>
  sql`date_trunc(${of}, ${clock.now()}::timestamptz AT TIME ZONE ${timezone}) AT TIME ZONE ${timezone}`;

/** Returns the number of rows, and their total in base currency. */
const countAndTotal = (
  condition: Sql,
  inCurrency: Sql,
): Sql => sql`json_build_object('count', count(*) FILTER (WHERE ${condition}),
  'total', coalesce(sum(total) FILTER (WHERE ${condition} AND ${inCurrency}), 0)::text)`;

async function opportunityMetrics(db: Db, caller: Caller): Promise<DashboardPart<'opportunities'>> {
  const isOpen = sql`closed_at IS NULL`;
  const weighted = roundToMinorUnit(sql`amount * probability / 100`, sql`${caller.currency}::text`);
  const [figures] = await db.rows<DashboardPart<'opportunities'>>(sql`
    SELECT count(*) FILTER (WHERE ${isOpen}) AS open,
      coalesce(sum(amount) FILTER (WHERE ${isOpen}), 0) AS amount,
      coalesce(sum(${weighted}) FILTER (WHERE ${isOpen}), 0) AS weighted_amount,
      count(*) FILTER (WHERE stage = 'closed_won' AND closed_at >= ${startOf('month', caller)}) AS won_this_month,
      count(*) FILTER (WHERE stage = 'closed_lost' AND closed_at >= ${startOf('month', caller)}) AS lost_this_month
    FROM opportunities`);
  return figures!;
}

async function quoteMetrics(db: Db, inCurrency: Sql): Promise<DashboardPart<'quotes'>> {
  const isOpen = sql`status = 'sent' AND expires_at > ${clock.now()}::timestamptz`;
  const soon = sql`expires_at <= ${clock.now()}::timestamptz + make_interval(days => ${EXPIRING_DAYS})`;
  const [figures] = await db.rows<DashboardPart<'quotes'>>(sql`
    SELECT count(*) FILTER (WHERE status = 'draft') AS draft,
      ${countAndTotal(isOpen, inCurrency)} AS open,
      ${countAndTotal(sql`status = 'accepted'`, inCurrency)} AS accepted,
      count(*) FILTER (WHERE ${isOpen} AND ${soon}) AS expiring
    FROM quotes`);
  return figures!;
}

async function orderMetrics(
  db: Db,
  caller: Caller,
  inCurrency: Sql,
  day: string,
): Promise<DashboardPart<'sales_orders'>> {
  const isOpen = sql`status IN ('confirmed', 'on_hold')`;
  const [figures] = await db.rows<DashboardPart<'sales_orders'>>(sql`
    SELECT count(*) FILTER (WHERE status = 'draft') AS draft,
      ${countAndTotal(isOpen, inCurrency)} AS open,
      count(*) FILTER (WHERE ${isOpen} AND invoice_status IN ('to_invoice', 'partial')) AS to_invoice,
      count(*) FILTER (WHERE ${isOpen} AND fulfilment_status <> 'full' AND delivery_date < ${day}::date) AS overdue,
      ${countAndTotal(sql`status <> 'cancelled' AND confirmed_at >= ${startOf('month', caller)}`, inCurrency)} AS this_month
    FROM sales_orders`);
  return figures!;
}

async function meetingMetrics(db: Db, caller: Caller): Promise<DashboardPart<'meetings'>> {
  const day = startOf('day', caller);
  const tomorrow = sql`(date_trunc('day', ${clock.now()}::timestamptz AT TIME ZONE ${caller.timezone}) + interval '1 day') AT TIME ZONE ${caller.timezone}`;
  const [figures] = await db.rows<DashboardPart<'meetings'>>(sql`
    SELECT count(*) FILTER (WHERE start >= ${day} AND start < ${tomorrow}) AS today,
      count(*) FILTER (WHERE start >= ${clock.now()}::timestamptz) AS planned
    FROM meetings WHERE status = 'planned'`);
  return figures!;
}

/** Returns the metrics of the sales dashboard, with one statement for each part that the caller may see. */
export async function showSalesHome(db: Db, caller: Caller): Promise<HomeRow> {
  const sees = (noun: string) => caller.permissions.includes(`${noun}.view`);
  const ours = sql`currency = ${caller.currency}`;
  const day = today(caller.timezone);
  return {
    today: day,
    currency: caller.currency,
    opportunities: sees('opportunity') ? await opportunityMetrics(db, caller) : null,
    quotes: sees('quote') ? await quoteMetrics(db, ours) : null,
    sales_orders: sees('sales_order') ? await orderMetrics(db, caller, ours, day) : null,
    meetings: sees('meeting') ? await meetingMetrics(db, caller) : null,
  };
}
