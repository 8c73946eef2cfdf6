/** Operator commands on plans: the offered plans, their prices, and the plan settings. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import type { PlanTexts } from './public-plan.ts';

/**
 * Rejected request of an operator. Only the operator sees the message. @param details counts of the records that
 * prevent it
 */
class CatalogueError extends Error {
  readonly details: Readonly<Record<string, number>>;
  constructor(message: string, details: Readonly<Record<string, number>> = {}) {
    super(message);
    this.details = details;
  }
}

const catalogueError = (message: string) => (details?: Readonly<Record<string, number>>) =>
  new CatalogueError(message, details);

export const PlanNotFound = catalogueError('Plan not found. Check the code.');
const PlanExists = catalogueError('A plan with this code already exists. Choose another code.');
const PlanInUse = catalogueError('This plan is in use. Retire it to stop new workspaces from choosing it.');
const PlanIsFallback = catalogueError('This is the fallback plan. Choose another fallback plan first.');

/** New plan. */
export interface NewPlan {
  code: string;
  name: string;
  description: string;
  modules: readonly string[];
  user_limit: number | null;
  customer_limit: number | null;
  storage_limit_mb: number | null;
  api_rpm_limit: number | null;
  /** Maximum number of e-mail recipients per hour. Null means the default from the settings. */
  email_limit: number | null;
  trial_days: number;
  is_public: boolean;
  is_recommended: boolean;
  features: readonly { key: string; text: string }[];
  position?: number | undefined;
}

async function lockPlan(all: Db, code: string): Promise<void> {
  const [plan] = await all.rows(sql`SELECT code FROM plans WHERE code = ${code} FOR UPDATE`);
  if (!plan) throw PlanNotFound();
}

/** Adds a plan after the others, or at a position. @throws PlanExists */
export async function addPlan(all: Db, plan: NewPlan): Promise<void> {
  const { code, name, description, modules, position } = plan;
  const added = await all.rows(sql`
    INSERT INTO plans (code, name, description, modules, user_limit, customer_limit, storage_limit_mb, api_rpm_limit, email_limit, trial_days,
      is_public, is_recommended, features, position)
    SELECT ${code}, ${name}, ${description}, ${[...modules]}::text[], ${plan.user_limit}::int, ${plan.customer_limit}::int,
      ${plan.storage_limit_mb}::int, ${plan.api_rpm_limit}::int, ${plan.email_limit}::int, ${plan.trial_days}::int, ${plan.is_public}::boolean,
      ${plan.is_recommended}::boolean, ${JSON.stringify(plan.features)}::jsonb,
      coalesce(${position ?? null}::int, (SELECT max(position) + 1 FROM plans), 1)
    ON CONFLICT (code) DO NOTHING RETURNING code`);
  if (added.length === 0) throw PlanExists();
}

/** New price of a plan. */
export interface NewPrice {
  code: string;
  currency: string;
  interval: string;
  /** Amount of the price. Null to remove the current price. */
  amount: string | null;
  per_user: boolean;
  wholesale_amount: string | null;
}

/**
 * Replaces the current price for a currency and interval. Existing subscriptions keep their price.
 * @returns true if there was a price
 * @throws PlanNotFound
 */
export async function setPrice(
  all: Db,
  { code, currency, interval, amount, per_user, wholesale_amount }: NewPrice,
): Promise<boolean> {
  await lockPlan(all, code);
  const replaced = await all.rows(sql`
    UPDATE prices SET replaced_at = ${clock.now()}
    WHERE plan_code = ${code} AND currency = ${currency} AND "interval" = ${interval} AND replaced_at IS NULL RETURNING id`);
  if (amount !== null)
    await all.price.create({ data: { plan_code: code, currency, interval, amount, per_user, wholesale_amount } });
  return replaced.length > 0;
}

/** Offers a plan with these options, again if it was retired. @throws PlanNotFound */
export async function offerPlan(
  all: Db,
  code: string,
  { is_public, is_recommended }: { is_public?: boolean | undefined; is_recommended?: boolean | undefined },
): Promise<void> {
  await lockPlan(all, code);
  await all.rows(sql`
    UPDATE plans SET status = 'active', is_public = coalesce(${is_public ?? null}::boolean, is_public),
      is_recommended = coalesce(${is_recommended ?? null}::boolean, is_recommended)
    WHERE code = ${code}`);
}

/** Stores the texts of a plan in another language. @throws PlanNotFound */
export async function translatePlan(all: Db, code: string, locale: string, texts: PlanTexts): Promise<void> {
  await lockPlan(all, code);
  await all.rows(sql`
    UPDATE plans SET translations = translations || jsonb_build_object(${locale}::text, ${JSON.stringify(texts)}::jsonb)
    WHERE code = ${code}`);
}

const isFallback = async (all: Db, code: string): Promise<boolean> =>
  (await all.rows(sql`SELECT FROM plan_settings WHERE fallback_plan = ${code}`)).length > 0;

/** Retires a plan, which is then no longer offered. Existing subscribers keep it. @throws PlanNotFound, PlanIsFallback */
export async function retirePlan(all: Db, code: string): Promise<void> {
  await lockPlan(all, code);
  if (await isFallback(all, code)) throw PlanIsFallback();
  await all.rows(sql`UPDATE plans SET status = 'retired' WHERE code = ${code}`);
}

/** Deletes a plan that was never used. @throws PlanNotFound, PlanIsFallback, PlanInUse with the counts of its uses */
export async function removePlan(all: Db, code: string): Promise<void> {
  await lockPlan(all, code);
  if (await isFallback(all, code)) throw PlanIsFallback();
  const [uses] = await all.rows<{ workspaces: number; subscriptions: number; prices: number }>(sql`
    SELECT (SELECT count(*) FROM workspaces WHERE plan_code = ${code}) AS workspaces,
      (SELECT count(*) FROM subscriptions WHERE plan_code = ${code} OR next_plan = ${code}) AS subscriptions,
      (SELECT count(*) FROM prices WHERE plan_code = ${code}) AS prices`);
  if (Object.values(uses!).some((count) => count > 0)) throw PlanInUse(uses);
  await all.rows(sql`DELETE FROM plans WHERE code = ${code}`);
}

/** Plan settings of the operator. */
export interface PlanSettingsChange {
  fallback_plan?: string | null | undefined;
  grace_days?: number | undefined;
  email_limit?: number | undefined;
}

/** Updates the plan settings. @throws PlanNotFound for a fallback plan that is not offered */
export async function changePlanSettings(
  all: Db,
  { fallback_plan, grace_days, email_limit }: PlanSettingsChange,
): Promise<void> {
  if (fallback_plan) {
    const [plan] = await all.rows(
      sql`SELECT FROM plans WHERE code = ${fallback_plan} AND status = 'active' FOR UPDATE`,
    );
    if (!plan) throw PlanNotFound();
  }
  await all.rows(sql`
    UPDATE plan_settings SET grace_days = coalesce(${grace_days ?? null}::int, grace_days),
      email_limit = coalesce(${email_limit ?? null}::int, email_limit),
      fallback_plan = CASE WHEN ${fallback_plan !== undefined}::boolean THEN ${fallback_plan ?? null}::text ELSE fallback_plan END`);
}

/** Returns the workspaces whose entitlements depend on the plan settings. */
export const workspacesWithPlanSettings = async (all: Db): Promise<string[]> =>
  (
    await all.rows<{ workspace_id: string }>(sql`
      SELECT workspace_id FROM entitlements WHERE status NOT IN ('', 'active') OR until IS NOT NULL ORDER BY workspace_id`)
  ).map(({ workspace_id }) => workspace_id);

/** Returns true if an error was thrown here, for callers that replace the message. */
export const isCatalogueError = (error: unknown): error is CatalogueError => error instanceof CatalogueError;
