import { service } from '@suite/chassis';
import { PrismaClient } from './generated/client.ts';
import { leadStates } from './leads/lead-board.ts';
import * as leads from './leads/leads.api.ts';
import { calls } from './operations.ts';
import * as labels from './pipelines/labels.api.ts';
import * as leadStages from './pipelines/lead-stages.api.ts';
import * as pipelines from './pipelines/pipelines.api.ts';
import * as sources from './pipelines/sources.api.ts';

/** Leads, deals and the pipelines they move through. */
export const crm = service({
  name: 'crm',
  client: (adapter) => new PrismaClient({ adapter }),
  operations: { pipelines, labels, sources, leadStages, leads },
  lifecycles: [leadStates],
  calls,
});
