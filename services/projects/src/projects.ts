import { service } from '@suite/chassis';
import { userFollowers } from '@suite/users';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { PrismaClient } from './generated/client.ts';
import { calls, on } from './operations.ts';
import * as billing from './billing/billing.api.ts';
import { runStates } from './billing/billing.rules.ts';
import { finishOpenBilling } from './billing/draft-request.ts';
import { releaseCancelledInvoice } from './consumers/finance.sales-invoice-cancelled.ts';
import { releaseDeletedDraft } from './consumers/finance.sales-invoice-deleted.ts';
import * as timeSettings from './time-settings/time-settings.api.ts';
import * as timeEntries from './time/time-entries.api.ts';
import { mailStoppedTimers } from './time/time-entry-mail.ts';
import { timeStates } from './time/time-entry.rules.ts';
import { stopTimers } from './time/time-entry-stop.ts';
import * as trackers from './time/trackers.api.ts';
import * as timesheets from './timesheets/timesheets.api.ts';
import * as stages from './stages/stages.api.ts';
import { whoSeesWhat } from './visibility.ts';

/** Projects with their tasks and bugs, and the time that is spent on them. */
export const projects = service({
  name: 'projects',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: { stages, timeSettings, timeEntries, trackers, timesheets, billing },
  lifecycles: [timeStates, runStates],
  consumers: [openWorkspace, ...userFollowers(on, 'projects'), releaseDeletedDraft, releaseCancelledInvoice],
  schedules: [stopTimers, mailStoppedTimers, finishOpenBilling],
  calls,
});
