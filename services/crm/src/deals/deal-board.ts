import { type Caller, clock, find, lifecycle, type Sql, sql } from '@suite/chassis';
import { DealLost, DealStageChanged, DealWon } from '@suite/proto/crm/v1/events';
import type { Board } from '../board/board.ts';

export const dealStates = lifecycle('deal', {
  open: { win: 'won', lose: 'lost' },
  won: { reopen: 'open', lose: 'lost' },
  lost: { reopen: 'open', win: 'won' },
});

/**
 * Which deals somebody may see: all, or those that they work on. A client sees those that they are a party to, whatever
 * the role says; a vendor sees none.
 */
export function visibleDeals(caller: Caller): Sql {
  const { kind, user_id, record_scopes } = caller;
  const among = (table: Sql) => sql`EXISTS (SELECT FROM ${table} WHERE deal_id = deals.id AND `;
  if (kind === 'client') return sql`${among(sql`deal_clients`)} client_id = ${user_id}::uuid)`;
  if (kind === 'vendor') return sql`FALSE`;
  return record_scopes['deal'] === 'own' ? sql`${among(sql`deal_users`)} user_id = ${user_id}::uuid)` : sql`TRUE`;
}

/** Deals on their board: the type of the stage says whether one is open, won or lost. */
export const dealBoard: Board = {
  kind: 'deal',
  onShow: sql`TRUE`,
  outcomeOf: (type) => (type === 'won' || type === 'lost' ? type : 'open'),
  settle(db, id, outcome, patch) {
    const verb = ({ open: 'reopen', won: 'win', lost: 'lose' } as const)[outcome];
    return dealStates.move(db.deal, id, verb, { ...patch, closed_at: outcome === 'open' ? null : clock.now() });
  },
  visible: visibleDeals,
  figures(caller) {
    const column = sql`FROM deals WHERE deals.stage_id = deal_stages.id AND ${visibleDeals(caller)}`;
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
