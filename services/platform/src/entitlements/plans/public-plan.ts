/** Public view of plans for price lists. */
import { type Sql, sql } from '@suite/chassis/database';
import type { z } from 'zod';
import type { Limits } from '../entitlements/entitlement.ts';
import type { Db } from '../../operations.ts';
import type { PublicPlan } from './public-plan.schema.ts';

/** Translated texts of a plan. Missing texts default to the plan's own. */
export interface PlanTexts {
  name?: string;
  description?: string;
  features?: Record<string, string>;
}

interface PlanRow {
  code: string;
  name: string;
  description: string;
  features: { key: string; text: string }[];
  translations: Record<string, PlanTexts>;
  modules: string[];
  trial_days: number;
  recommended: boolean;
  limits: Limits;
  prices: z.input<typeof PublicPlan>['prices'];
}

interface PlanFilter {
  currency?: string | undefined;
  interval?: string | undefined;
  module?: string | undefined;
  locale?: string | undefined;
}

const matchesOrAny = (value: string | undefined, column: Sql): Sql =>
  value === undefined ? sql`TRUE` : sql`${column} = ${value}`;

/** Returns the texts in a language: for `de-AT`, then for `de`, then the plan's own. */
function textsIn({ translations, name, description, features }: PlanRow, locale: string | undefined) {
  const [language = ''] = locale?.split('-') ?? [];
  const [ofLanguage, ofLocale] = [translations[language], translations[locale ?? '']];
  const texts: PlanTexts = { ...ofLanguage, ...ofLocale, features: { ...ofLanguage?.features, ...ofLocale?.features } };
  return {
    name: texts.name ?? name,
    description: texts.description ?? description,
    features: features.map(({ key, text }) => ({ key, text: texts.features?.[key] ?? text })),
  };
}

/**
 * Returns the public plans in display order. Chosen: `interval` filters the prices and omits plans without a matching
 * price, but not plans without any price.
 */
export async function readPublicPlans(db: Db, filter: PlanFilter): Promise<z.input<typeof PublicPlan>[]> {
  const { currency, interval, module, locale } = filter;
  const rows = await db.rows<PlanRow>(sql`
    SELECT code, name, description, features, translations, modules, trial_days, is_recommended AS recommended,
      jsonb_build_object('users', user_limit, 'customers', customer_limit, 'storage_mb', storage_limit_mb, 'api_rpm', api_rpm_limit) AS limits,
      coalesce(asked.prices, '[]') AS prices
    FROM plans LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('price_id', id, 'currency', currency, 'interval', "interval", 'amount', amount::text, 'per_user', per_user)
          ORDER BY currency, "interval") FILTER (WHERE ${matchesOrAny(currency, sql`currency`)} AND ${matchesOrAny(interval, sql`"interval"`)}) AS prices,
        count(*) AS all_prices
      FROM prices WHERE prices.plan_code = plans.code AND replaced_at IS NULL) AS asked ON TRUE
    WHERE status = 'active' AND is_public AND (${module ?? null}::text IS NULL OR ${module ?? null} = ANY (modules))
      AND (asked.prices IS NOT NULL OR (asked.all_prices = 0 AND ${currency ?? null}::text IS NULL))
    ORDER BY position, code`);
  return rows.map(({ translations, ...row }) => ({
    ...row,
    ...textsIn({ translations, ...row }, locale),
  })) as z.input<typeof PublicPlan>[];
}
