/** The public price list of offered plans. */
import { cached, openToSites, page } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { publicPlans } from './public-plan.ts';
import { PublicPlan, PublicPlanQuery } from './public-plan.schema.ts';

/** Maximum age of a cached price list. */
const MAX_AGE_S = 300;

export const list = query('GET /api/public/plans', {
  summary: 'List offered plans',
  description: 'Returns all offered plans in their order, on one page. Use it for a public price list.',
  access: openToSites('plans'),
  query: PublicPlanQuery,
  reply: cached(page(PublicPlan), MAX_AGE_S),
  async handle({ db, query: wish }) {
    const rows = await publicPlans(db, wish);
    const total = rows.length;
    return { rows, page: 1, per_page: Math.max(total, 1), total, total_is_exact: true, next_cursor: null };
  },
});
