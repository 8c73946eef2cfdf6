/** Reports the storage used by each workspace. Platform compares it with the plan. */
import { storageReports } from '@suite/chassis/files';
import type { JobContext } from '@suite/chassis/service';
import type { Db, Rpc } from '../../operations.ts';

const SCHEDULE = 'hr.report-storage';

export const reportStorage = storageReports<JobContext<Db, Rpc>>(SCHEDULE, ({ rpc }, use) =>
  rpc(null, SCHEDULE).platform.reportStorage(use),
);
