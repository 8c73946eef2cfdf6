import { clock, find, lifecycle, sql } from '@suite/chassis';
import { DealLost, DealStageChanged, DealWon } from '@suite/proto/crm/v1/events';
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
      // A deal that came from a lead stays: the lead refers to it.
      delete: { permission: 'deal.delete', unless: 'lead_id' },
    },
  },
);

/** Deals on their board: the type of the stage says whether one is open, won or lost. */
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
      // Chosen: amounts of other currencies are left out; adding them up would be wrong.
      value_sum: sql`SELECT coalesce(sum(deals.price), 0) ${column} AND deals.currency = ${caller.currency}`,
    };
  },
  announceMove(emit, deal_id, from_stage_id, to_stage_id) {
    emit(DealStageChanged, { deal_id, from_stage_id, to_stage_id });
  },
  async announceOutcome(db, emit, deal_id, outcome, reason = '') {
    const { price, currency } = await find(db.deal, deal_id);
    if (outcome === 'won') emit(DealWon, { deal_id, price: price.toFixed(), currency });
    if (outcome === 'lost') emit(DealLost, { deal_id, reason });
  },
};
