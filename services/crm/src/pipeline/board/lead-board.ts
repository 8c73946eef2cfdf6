import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';
import { LeadLost, LeadStageChanged } from '@suite/proto/crm/v1/events';
import type { Board } from './board.ts';

export const LeadIsConverted = fault(
  409,
  'lead_is_converted',
  'This lead has been converted to a deal. You can only add notes to it.',
);

/** Converted leads are not on the board. Only notes can be added to them. */
const ON_BOARD = ['open', 'lost'] as const;
const UPDATE = 'lead.update';

export const leadStates = lifecycle(
  'lead',
  {
    open: { lose: 'lost', convert: 'converted' },
    lost: { reopen: 'open' },
    converted: {},
  },
  {
    actions: {
      lose: UPDATE,
      convert: 'lead.convert',
      reopen: UPDATE,
      add_note: { permission: UPDATE, by: 'leadDiscussions.create' },
      update: { permission: UPDATE, in: ON_BOARD },
      move: { permission: UPDATE, in: ON_BOARD },
      delete: { permission: 'lead.delete', in: ON_BOARD },
    },
  },
);

const onShow = sql`leads.status <> 'converted'`;

/** Board of leads. A lead is lost in a `lost` stage and open in any other stage. */
export const leadBoard: Board = {
  kind: 'lead',
  closed: { status: 'converted', fault: LeadIsConverted },
  onShow,
  outcomeOf: (type) => (type === 'lost' ? 'lost' : 'open'),
  settle: (db, id, outcome, patch) => leadStates.move(db.lead, id, outcome === 'lost' ? 'lose' : 'reopen', patch),
  figures() {
    const column = sql`FROM leads WHERE leads.stage_id = lead_stages.id AND ${onShow}`;
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
