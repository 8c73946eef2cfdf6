/** The public price list of offered plans. */
import { wholePage } from '@suite/chassis/lists';
import { cached, openToSites, page } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { readPublicPlans } from './public-plan.ts';
import { PublicPlan, PublicPlanQuery } from './public-plan.schema.ts';

/** Maximum age of a cached price list. */
const MAX_AGE_S = 300;

export const list = query('GET /api/public/plans', {
  summary: 'List offered plans',
  description: 'Returns all offered plans in their order, on one page. Use it for a public price list.',
  access: openToSites('plans'),
  query: PublicPlanQuery,
  reply: cached(page(PublicPlan), MAX_AGE_S),
  handle: async ({ db, query: filter }) => wholePage(await readPublicPlans(db, filter)),
});
