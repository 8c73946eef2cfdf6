/** The lifecycle of an opportunity, and its probability in each state. */
import { invalid, lifecycle } from '@suite/chassis';

const onward = {
  prospect: 'prospecting',
  qualify: 'qualification',
  propose: 'proposal',
  negotiate: 'negotiation',
  win: 'closed_won',
  lose: 'closed_lost',
} as const;

const UPDATE = 'opportunity.update';

/** Open stages are free to go to and fro; what is closed is reopened at the table. */
export const opportunityStates = lifecycle(
  'opportunity',
  {
    prospecting: onward,
    qualification: onward,
    proposal: onward,
    negotiation: onward,
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

/** How likely a sale usually is in a stage. */
export const USUAL_PROBABILITY = {
  prospecting: 10,
  qualification: 25,
  proposal: 50,
  negotiation: 75,
  closed_won: 100,
  closed_lost: 0,
};
export type OpportunityStageName = keyof typeof USUAL_PROBABILITY;
export const isClosed = (stage: string): boolean => stage.startsWith('closed_');

/** @throws a 422 when what is closed should have a chance of its own */
export function assertProbability(stage: string, probability: number | undefined): void {
  if (probability === undefined || !isClosed(stage)) return;
  if (probability !== USUAL_PROBABILITY[stage as OpportunityStageName])
    throw invalid('probability', 'Stages of the type `won` have 100, and stages of the type `lost` have 0.');
}
