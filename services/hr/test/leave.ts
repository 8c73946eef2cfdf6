/** Fixture for leave tests: a workspace with Ada and her boss, and a leave type with 24 days upfront. */
import { type Member, freezeClock } from '@suite/testing';
import { type TestWorkspace, openHr } from './fixture.ts';

/** Workspace whose employees request leave. */
export interface LeaveFixture {
  acme: TestWorkspace;
  manager: Member;
  ada: Member;
  time: ReturnType<typeof freezeClock>;
  ids: { manager: string; ada: string };
  type: string;
  /** Requests leave as Ada, by default from 1 to 3 June. */
  request(body?: object, by?: Member): ReturnType<Member['post']>;
  /** Requests leave as Ada and returns the request's ID. */
  createRequest(body?: object): Promise<string>;
  /** Creates a leave request for Ada. */
  create(body?: object, by?: Member): ReturnType<Member['post']>;
  act(id: string, body: object, by?: Member): ReturnType<Member['post']>;
  approve(id: string, by?: Member): ReturnType<Member['post']>;
  list(query?: string, by?: Member): Promise<Record<string, unknown>[]>;
  available(as_of?: string): Promise<string>;
  events(id: string): Promise<[string, object][]>;
}

/** Returns the expected error response. */
export const faultResponse = (status: number, code: string, details?: object) => ({
  status,
  body: { code, ...(details && { details }) },
});

/** Starts the service. `office` creates a workspace on 10 February 2026. */
export async function openLeaveOffice() {
  const hr = await openHr();
  async function office(): Promise<LeaveFixture> {
    const time = freezeClock('2026-02-10T10:00:00Z');
    const acme = await hr.company();
    const [manager, ada] = [acme.member({ can: [], name: 'Boss' }), acme.member({ can: [], name: 'Ada' })];
    const head = await acme.employ({ name: 'Boss', user_id: manager.caller.user_id });
    const ids = { manager: head, ada: await acme.employ({ user_id: ada.caller.user_id, manager_id: head }) };
    const type = await acme.leaveType({ days_per_year: '24', accrual: 'upfront' });
    const span = { leave_type_id: type, from: '2026-06-01', to: '2026-06-03' };
    const request: LeaveFixture['request'] = (body = {}, by = ada) =>
      by.post('/api/hrm/leave-request', { ...span, ...body });
    const act: LeaveFixture['act'] = (id, body, by = acme.owner) =>
      by.post(`/api/leave-application/update-status/${id}`, body);
    return {
      acme,
      manager,
      ada,
      time,
      ids,
      type,
      request,
      act,
      createRequest: async (body) => (await request(body)).body.data.id,
      create: (body = {}, by = acme.owner) =>
        by.post('/api/leave-application/create', { employee_id: ids.ada, ...span, ...body }),
      approve: (id, by) => act(id, { action: 'approve' }, by),
      list: async (query = '', by = acme.owner) => (await by.get(`/api/leave-applications?${query}`)).body.data,
      async available(as_of) {
        const { body } = await ada.get(`/api/hrm/get-leaves-types${as_of ? `?as_of=${as_of}` : ''}`);
        return body.data.find(({ id }: { id: string }) => id === type).balance.available;
      },
      events: async (id) =>
        (await hr.serving.sql`SELECT type, data FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`).map(
          ({ type: name, data }) => [name, data],
        ),
    };
  }
  return { ...hr, office };
}
