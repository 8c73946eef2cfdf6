/** Lifecycle of an opportunity, and its probability in each stage. */
import { invalid } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

const forwardMoves = {
  prospect: 'prospecting',
  qualify: 'qualification',
  propose: 'proposal',
  negotiate: 'negotiation',
  win: 'closed_won',
  lose: 'closed_lost',
} as const;

const UPDATE = 'opportunity.update';

/** Moves between open stages are unrestricted. A closed opportunity must be reopened. */
export const opportunityStates = lifecycle(
  'opportunity',
  {
    prospecting: forwardMoves,
    qualification: forwardMoves,
    proposal: forwardMoves,
    negotiation: forwardMoves,
    closed_won: { reopen: 'negotiation', lose: 'closed_lost' },
    closed_lost: { reopen: 'negotiation', win: 'closed_won' },
  },
  {
    column: 'stage',
    actions: {
      prospect: UPDATE,
      qualify: UPDATE,
      propose: UPDATE,
      negotiate: UPDATE,
      reopen: UPDATE,
      win: UPDATE,
      lose: UPDATE,
      update: UPDATE,
      delete: 'opportunity.delete',
    },
  },
);

export type OpportunityStageName = (typeof opportunityStates.states)[number];

/** Default probability of a sale by stage, in percent. */
export const DEFAULT_PROBABILITY: Readonly<Record<OpportunityStageName, number>> = {
  prospecting: 10,
  qualification: 25,
  proposal: 50,
  negotiation: 75,
  closed_won: 100,
  closed_lost: 0,
};
export const isClosed = (stage: string): boolean => stage.startsWith('closed_');

/** Checks the probability of a closed opportunity. @throws a 422 if it differs from 100 for won or 0 for lost */
export function assertProbability(stage: string, probability: number | undefined): void {
  if (probability === undefined || !isClosed(stage)) return;
  if (probability !== DEFAULT_PROBABILITY[stage as OpportunityStageName])
    throw invalid('probability', 'Stages of the type `won` have 100, and stages of the type `lost` have 0.');
}
