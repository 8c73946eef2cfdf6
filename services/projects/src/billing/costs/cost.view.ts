/** Cost of projects: time at its rates, and expenses posted by finance. */
import { type Sql, sql } from '@suite/chassis/database';
import { roundToMinorUnit } from '@suite/document-lines';
import { roundTo } from '@suite/money';
import type { Db } from '../../operations.ts';

/** Time and cost of a project. */
export interface ProjectCost {
  id: string;
  currency: string;
  budget: string | null;
  tracked_seconds: number;
  billable_seconds: number;
  time_cost: string;
  expenses: string;
  unconverted_expenses: number;
  cost: string;
  variance: string | null;
  used_percent: number | null;
  over_budget: boolean | null;
}

/**
 * Returns the cost of projects as rows of a FROM clause: from the time totals per user, and from the expenses, which
 * are few.
 *
 * Chosen: the suite does not know the exchange rate of two currencies on a day. An expense counts in its own currency,
 * and in the base currency at its own rate. In a project with a third currency it counts as unconverted, and is never
 * estimated.
 */
const costs = (ids: readonly string[]): Sql => sql`
  SELECT projects.id, projects.currency::text AS currency, projects.budget, tracked_seconds, billable_seconds, time_cost,
    expenses, unconverted_expenses, time_cost + expenses AS cost
  FROM projects
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(member_time.tracked_seconds), 0)::bigint AS tracked_seconds,
      coalesce(sum(member_time.billable_seconds), 0)::bigint AS billable_seconds,
      ${roundToMinorUnit(sql`coalesce(sum(member_time.cost_seconds), 0) / 3600`, sql`projects.currency`)} AS time_cost
    FROM member_time WHERE member_time.project_id = projects.id) AS time
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount), 0) AS expenses, count(*) FILTER (WHERE amount IS NULL) AS unconverted_expenses
    FROM (
      SELECT CASE projects.currency WHEN booked.currency THEN net WHEN base_currency THEN base_net END AS amount
      FROM project_expenses AS booked WHERE booked.project_id = projects.id AND NOT reversed) AS booked) AS spent
  WHERE projects.id = ANY(${ids}::uuid[])`;

/**
 * Returns the cost of projects for callers who may see money. All callers who see the projects get the tracked time.
 */
export const costsOf = (db: Db, ids: readonly string[]): Promise<ProjectCost[]> =>
  db.rows<ProjectCost>(sql`
    SELECT *, budget - cost AS variance, round(100 * cost / nullif(budget, 0), 2)::float8 AS used_percent,
      cost > budget AS over_budget
    FROM (${costs(ids)}) AS figures`);

/** Returns the cost of a project. */
export async function projectCostOf(db: Db, id: string): Promise<ProjectCost> {
  const [cost] = await costsOf(db, [id]);
  return cost!;
}

/** Returns the budgets and costs of projects, totalled by currency. */
export async function costSums(db: Db, ids: readonly string[]) {
  const sums = await db.rows<{ currency: string; projects: number; budget: string | null; cost: string }>(sql`
    SELECT currency, count(*) AS projects, sum(budget) AS budget, sum(cost) AS cost
    FROM (${costs(ids)}) AS figures GROUP BY currency ORDER BY currency`);
  return sums.map(({ currency, projects, budget, cost }) => {
    const shown = { budget: budget === null ? null : roundTo(budget, currency), cost: roundTo(cost, currency) };
    return { currency, projects, ...shown };
  });
}
