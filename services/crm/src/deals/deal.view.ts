/** Views of deals: in lists with expansions, and singly with all fields that the caller may see. */
import { sql } from '@suite/chassis/database';
import type { FileLinks } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, many, paginate, readOne } from '@suite/chassis/lists';
import type { z } from 'zod';
import { expansionsOf } from '../activities/activities/record.view.ts';
import { dealActivityFields } from '../activities/activities/activity.schema.ts';
import { activityExpansions } from '../activities/activities/activity.view.ts';
import { fileUrl } from '../activities/files/file-operations.ts';
import { Totals } from '../activities/activities/page.schema.ts';
import { activityTotals } from '../activities/activities/page-operations.ts';
import { membersOf } from '../pipeline/board/members.ts';
import { roundToMinorUnit } from '@suite/document-lines';
import type { Db } from '../operations.ts';
import { dealBoard } from '../pipeline/board/deal-board.ts';
import { Deal, DealColumns, type DealRow, type SavedDeal } from './deal.schema.ts';

/** Deal with its tasks, calls, notes, e-mails and files. */
export const DealDetails = Deal.required({
  pipeline: true,
  stage: true,
  users: true,
  clients: true,
  products: true,
})
  .extend({
    ...dealActivityFields,
    totals: Totals.describe('Numbers of related records. Use their lists for the complete records.'),
  })
  .meta({ id: 'DealDetails' });

const probability = sql`SELECT deal_stages.probability FROM deal_stages WHERE deal_stages.id = deals.stage_id`;
const compute = {
  probability,
  weighted_value: roundToMinorUnit(sql`deals.price * (${probability}) / 100`, sql`deals.currency`),
};

const expansions = (db: Db): Record<string, Expansion> => ({
  ...expansionsOf(db, dealBoard),
  clients: many('deal_id', membersOf(db, 'deal', 'client')),
});

/** Returns a page of the deals visible to the caller. */
export const listDeals = (db: Db, request: ListRequest) =>
  paginate(db, request, { table: 'deals', compute, expand: expansions(db) });

/** Returns a deal as in lists, for the response of a change. */
export const readDeal = (db: Db, id: string): Promise<DealRow> =>
  readOne(db, DealColumns, id, { table: 'deals', compute });

/** Returns a deal for the response of a creation or update. */
export async function readSavedDeal(db: Db, id: string): Promise<z.input<typeof SavedDeal>> {
  const { labels, sources, users, clients } = expansions(db) as Record<
    'labels' | 'sources' | 'users' | 'clients',
    Expansion
  >;
  const expand = { labels, sources, users, clients };
  return (await readOne(db, DealColumns, id, { table: 'deals', compute, expand })) as z.input<typeof SavedDeal>;
}

/** Returns a deal with all details. @throws NotFound if it does not exist or the caller cannot see it */
export async function showDeal(db: Db, { caller, links }: { caller: Caller; links: FileLinks }, id: string) {
  const deal = await readOne(db, Deal.extend(dealActivityFields), id, {
    table: 'deals',
    compute,
    expand: {
      ...expansions(db),
      ...activityExpansions(db, caller, 'deal', (file) => fileUrl(links, 'deal', file)),
    },
  });
  const totals = await activityTotals(db, 'deal', id);
  return { ...deal, totals } as z.input<typeof DealDetails>;
}
