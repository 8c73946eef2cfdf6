import { service } from '@suite/chassis';
import { PrismaClient } from './generated/client.ts';
import { leadStates } from './leads/lead-board.ts';
import * as leadCalls from './leads/lead-calls.api.ts';
import * as leadDiscussions from './leads/lead-discussions.api.ts';
import * as leadEmails from './leads/lead-emails.api.ts';
import * as leadFiles from './leads/lead-files.api.ts';
import * as leadSources from './leads/lead-sources.api.ts';
import * as leadTasks from './leads/lead-tasks.api.ts';
import * as leadUsers from './leads/lead-users.api.ts';
import * as leads from './leads/leads.api.ts';
import * as appLeads from './leads/leads.app.api.ts';
import { calls } from './operations.ts';
import * as dealStages from './pipelines/deal-stages.api.ts';
import * as labels from './pipelines/labels.api.ts';
import * as leadStages from './pipelines/lead-stages.api.ts';
import * as pipelines from './pipelines/pipelines.api.ts';
import * as appPipelines from './pipelines/pipelines.app.api.ts';
import * as sources from './pipelines/sources.api.ts';

/** Leads, deals and the pipelines they move through. */
export const crm = service({
  name: 'crm',
  client: (adapter) => new PrismaClient({ adapter }),
  operations: {
    ...{ pipelines, leadStages, dealStages, labels, sources, appPipelines },
    ...{ leads, leadTasks, leadCalls, leadDiscussions, leadEmails, leadFiles, leadSources, leadUsers, appLeads },
    ...{ deals, dealTasks, dealCalls, dealDiscussions, dealEmails, dealFiles, dealSources, dealUsers, dealClients },
  },
  lifecycles: [leadStates, dealStates, taskStates],
  calls,
});
