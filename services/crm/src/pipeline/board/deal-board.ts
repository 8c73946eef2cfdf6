import { find, sql } from '@suite/chassis/database';
import { lifecycle } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { DealLost, DealStageChanged, DealWon } from '@suite/proto/crm/v1/events';
import type { Db } from '../../operations.ts';
import type { Board } from './board.ts';

const UPDATE = 'deal.update';

export const dealStates = lifecycle(
  'deal',
  {
    open: { win: 'won', lose: 'lost' },
    won: { reopen: 'open', lose: 'lost' },
    lost: { reopen: 'open', win: 'won' },
  },
  {
    actions: {
      reopen: UPDATE,
      win: UPDATE,
      lose: UPDATE,
      update: UPDATE,
      add_note: { permission: UPDATE, by: 'dealDiscussions.create' },
      // A deal from a converted lead cannot be deleted because the lead refers to it.
      delete: { permission: 'deal.delete', unless: 'lead_id' },
    },
  },
);

/** Returns a deal as its event describes it. The event names the creator, or a user who works on the deal. */
async function wonDeal(db: Db, deal_id: string) {
  const { name, price, currency, customer_id, customer_name, created_by } = await find(db.deal, deal_id);
  const users = await db.dealUser.findMany({
    where: { deal_id },
    select: { user_id: true },
    orderBy: { user_id: 'asc' },
  });
  const workers = users.map(({ user_id }) => user_id);
  const owner_id = workers.find((id) => id === created_by) ?? workers[0] ?? '';
  const customer = { customer_id: customer_id ?? '', customer_name: customer_name ?? '' };
  return { deal_id, name, price: price.toFixed(), currency, ...customer, owner_id };
}

/** Board of deals. The type of the stage decides whether a deal is open, won or lost. */
export const dealBoard: Board = {
  kind: 'deal',
  onShow: sql`TRUE`,
  outcomeOf: (type) => (type === 'won' || type === 'lost' ? type : 'open'),
  settle(db, id, outcome, patch) {
    const verb = ({ open: 'reopen', won: 'win', lost: 'lose' } as const)[outcome];
    return dealStates.move(db.deal, id, verb, { ...patch, closed_at: outcome === 'open' ? null : clock.now() });
  },
  figures(caller) {
    const column = sql`FROM deals WHERE deals.stage_id = deal_stages.id`;
    return {
      deal_count: sql`SELECT count(*) ${column}`,
      // Chosen: amounts in other currencies are excluded. Their sum would be wrong.
      value_sum: sql`SELECT coalesce(sum(deals.price), 0) ${column} AND deals.currency = ${caller.currency}`,
    };
  },
  announceMove(emit, deal_id, from_stage_id, to_stage_id) {
    emit(DealStageChanged, { deal_id, from_stage_id, to_stage_id });
  },
  async announceOutcome(db, emit, deal_id, outcome, reason = '') {
    if (outcome === 'lost') emit(DealLost, { deal_id, reason });
    if (outcome === 'won') emit(DealWon, await wonDeal(db, deal_id));
  },
};
