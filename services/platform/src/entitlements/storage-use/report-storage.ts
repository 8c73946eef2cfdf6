/** Reports the storage of platform's own images, as other services do for files. */
import { storageReports } from '@suite/chassis/files';
import type { JobContext } from '@suite/chassis/service';
import { withoutCaller, type Db } from '../../operations.ts';
import { recordStorage } from './storage-use.ts';

const SCHEDULE = 'platform.report-storage';

export const reportOwnStorage = storageReports<JobContext<Db>>(SCHEDULE, ({ database }, use) =>
  database.write(withoutCaller(SCHEDULE, use.workspace_id), (db) => recordStorage(db, { ...use, service: 'platform' })),
);
