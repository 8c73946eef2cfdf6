import { type Caller, fault, lifecycle, type Sql, sql } from '@suite/chassis';
import { LeadLost, LeadStageChanged } from '@suite/proto/crm/v1/events';
import type { Board } from '../board/board.ts';

export const LeadIsConverted = fault(
  409,
  'lead_is_converted',
  'This lead became a deal. Only notes can still be added to it.',
);

export const leadStates = lifecycle('lead', {
  open: { lose: 'lost', convert: 'converted' },
  lost: { reopen: 'open' },
  converted: {},
});

/**
 * Which leads somebody may see: all, or those that they own or that were shared with them. Clients and vendors never see
 * more than what was shared with them by name.
 */
export function visibleLeads({ kind, user_id, record_scopes }: Caller): Sql {
  const own = record_scopes['lead'] === 'own' || kind === 'client' || kind === 'vendor';
  if (!own) return sql`TRUE`;
  return sql`(leads.owner_id = ${user_id}::uuid OR EXISTS (
    SELECT FROM lead_users WHERE lead_users.lead_id = leads.id AND lead_users.user_id = ${user_id}::uuid))`;
}

const onShow = sql`leads.status <> 'converted'`;

/** Leads on their board: lost when they lie in a `lost` stage, open everywhere else. */
export const leadBoard: Board = {
  kind: 'lead',
  closed: { status: 'converted', fault: LeadIsConverted },
  onShow,
  outcomeOf: (type) => (type === 'lost' ? 'lost' : 'open'),
  settle: (db, id, outcome, patch) => leadStates.move(db.lead, id, outcome === 'lost' ? 'lose' : 'reopen', patch),
  visible: visibleLeads,
  figures(caller) {
    const column = sql`FROM leads WHERE leads.stage_id = lead_stages.id AND ${onShow} AND ${visibleLeads(caller)}`;
    return {
      lead_count: sql`SELECT count(*) ${column}`,
      value_sum: sql`SELECT coalesce(sum(leads.expected_value), 0) ${column}`,
    };
  },
  announceMove(emit, lead_id, from_stage_id, to_stage_id) {
    emit(LeadStageChanged, { lead_id, from_stage_id, to_stage_id });
  },
  async announceOutcome(_, emit, lead_id, outcome, reason = '') {
    if (outcome === 'lost') emit(LeadLost, { lead_id, reason });
  },
};
