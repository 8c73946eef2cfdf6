/** How deals are shown: in lists, with what can be expanded; and one by one, with everything that the caller may know. */
import {
  Actions,
  type Caller,
  type Expansion,
  type FileLinks,
  type ListRequest,
  many,
  paginate,
  readOne,
  sql,
} from '@suite/chassis';
import type { z } from 'zod';
import { expansionsOf } from '../board/expansions.ts';
import { dossier } from '../dossier/dossier.schema.ts';
import { dossierOf } from '../dossier/dossier.ts';
import { fileAddress } from '../dossier/files.ts';
import { membersOf } from '../dossier/members.ts';
import { roundedInSql } from '../money.ts';
import type { Db } from '../operations.ts';
import { dealBoard, dealStates, isOutsider, visibleDeals } from './deal-board.ts';
import { Deal, DealColumns, type DealRow } from './deal.schema.ts';

/** A deal with all that was gathered about it. */
export const DealDetails = Deal.required({
  pipeline: true,
  stage: true,
  labels: true,
  sources: true,
  users: true,
  clients: true,
  products: true,
})
  .extend({
    ...dossier,
    allowed_actions: Actions('win', 'lose', 'reopen', 'update', 'add_note', 'delete'),
  })
  .meta({ id: 'DealDetails' });

const probability = sql`SELECT deal_stages.probability FROM deal_stages WHERE deal_stages.id = deals.stage_id`;
const compute = {
  probability,
  weighted_value: roundedInSql(sql`deals.price * (${probability}) / 100`, sql`deals.currency`),
};

const expansions = (db: Db): Record<string, Expansion> => ({
  ...expansionsOf(db, dealBoard),
  clients: many('deal_id', membersOf(db, 'deal', 'client')),
});

/** What a client never sees of a deal: how likely we think it is, what we note, and what we do about it. */
const internal = {
  probability: null,
  weighted_value: null,
  lost_reason: null,
  notes: null,
  labels: [],
  sources: [],
  tasks: [],
  calls: [],
  discussions: [],
  emails: [],
  stage_history: [],
  timeline: [],
};

/** Takes out of a row what this caller must not see. */
function asSeenBy<Row extends object>(caller: Caller, row: Row): Row {
  if (!isOutsider(caller)) return row;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name in internal ? internal[name as keyof typeof internal] : value,
    ]),
  ) as Row;
}

/** One page of the deals that the caller may see. */
export async function listDeals(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, {
    table: 'deals',
    where: visibleDeals(caller),
    compute,
    expand: expansions(db),
  });
  return { ...found, rows: found.rows.map((row) => asSeenBy(caller, row)) };
}

/** A deal as lists show it: what a change answers with. */
export const readDeal = async (db: Db, caller: Caller, id: string): Promise<DealRow> =>
  asSeenBy(caller, await readOne(db, DealColumns, id, { table: 'deals', compute }));

const PERMISSIONS: Record<string, string> = { delete: 'deal.delete' };

/** What this caller may do with a deal in its state. */
function dealActions(caller: Caller, { status, lead_id }: DealRow): string[] {
  const possible = [...dealStates.allowed(status), 'update', 'add_note', ...(lead_id ? [] : ['delete'])];
  return possible.filter((action) => caller.permissions.includes(PERMISSIONS[action] ?? 'deal.update'));
}

/** Shows a deal with everything. @throws NotFound also when the caller may not see it */
export async function showDeal(db: Db, { caller, links }: { caller: Caller; links: FileLinks }, id: string) {
  const deal = await readOne(db, Deal.extend(dossier), id, {
    table: 'deals',
    where: visibleDeals(caller),
    compute,
    expand: { ...expansions(db), ...dossierOf(db, 'deal', (file) => fileAddress(links, 'deal', file)) },
  });
  return { ...asSeenBy(caller, deal), allowed_actions: dealActions(caller, deal) } as z.input<typeof DealDetails>;
}
