/** Fixture for tests of employee records: a workspace with a fixed clock and one employee. */
import { beforeEach } from '@jest/globals';
import { type Member, type CallerOptions, freezeClock } from '@suite/testing';
import { applyDueChanges } from '../src/records/due-changes/due-changes.ts';
import { endNotices } from '../src/records/exit-notices/exit-notice.ts';
import { applyEffectiveDates } from '../src/employment/employment/effective-dates.ts';
import { type TestWorkspace, openHr } from './fixture.ts';

/** Noon in Berlin on 15 June 2026. */
export const NOON = '2026-06-15T10:00:00Z';

/** Fixture that is created again before each test. */
export interface RecordsFixture {
  acme: TestWorkspace;
  /** User and employee that the records are about: Ada Lovelace, employed since 1 January 2026. */
  user_id: string;
  employee_id: string;
  self: Member;
  /** Another designation in the employee's department. */
  designation_id: string;
  goTo(instant: string): void;
}

export async function openRecords() {
  const { serving, platform, company } = await openHr();
  const at = {} as RecordsFixture;
  beforeEach(async () => {
    const time = freezeClock(NOON);
    const acme = await company();
    const user_id = platform.hire(acme.workspace);
    const employee_id = await acme.employ({ user_id });
    const { department_id } = (await acme.owner.get(`/api/employee/show/${employee_id}`)).body.data;
    const { body } = await acme.owner.post('/api/designation/create', { name: 'Head', department_id });
    const self = acme.member({ user_id, can: [] });
    Object.assign(at, { acme, user_id, employee_id, self, designation_id: body.data.id, goTo: time.goTo });
  });
  const { tools } = serving;
  return {
    serving,
    platform,
    company,
    at,
    /** Creates a user of the workspace with the given permissions. */
    member: (rights: CallerOptions) => at.acme.member(rights),
    post: (path: string, body: object = {}) => at.acme.owner.post(`/api/${path}`, body),
    employee: async (query = '') => (await at.acme.owner.get(`/api/employee/show/${at.employee_id}${query}`)).body.data,
    history: async () =>
      (await at.acme.owner.get(`/api/employee/history/${at.employee_id}?sort=created_at&cause[in]=promotion,transfer`))
        .body.data,
    events: async () =>
      (
        await serving.sql<{ type: string; data: Record<string, unknown> }>`
          SELECT type, data FROM journal_events WHERE aggregate_id = ${at.employee_id} ORDER BY position`
      ).map(({ type, data }) => [type, data] as const),
    takeEffects: () => applyDueChanges(tools as never),
    keepDates: () => applyEffectiveDates(tools as never, [endNotices]),
  };
}
