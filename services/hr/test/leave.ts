/** Fixture for leave tests: a workspace with Ada and her boss, and a leave type with 24 days upfront. */
import { type Member, stillClock } from '@suite/testing';
import { type Company, openHr } from './fixture.ts';

/** Workspace whose employees request leave. */
export interface LeaveOffice {
  acme: Company;
  boss: Member;
  ada: Member;
  time: ReturnType<typeof stillClock>;
  ids: { boss: string; ada: string };
  type: string;
  /** Requests leave as Ada, by default from 1 to 3 June. */
  request(body?: object, by?: Member): ReturnType<Member['post']>;
  /** Requests leave as Ada and returns the request's ID. */
  asked(body?: object): Promise<string>;
  /** Creates a leave request for Ada. */
  create(body?: object, by?: Member): ReturnType<Member['post']>;
  act(id: string, body: object, by?: Member): ReturnType<Member['post']>;
  approve(id: string, by?: Member): ReturnType<Member['post']>;
  list(query?: string, by?: Member): Promise<Record<string, unknown>[]>;
  available(as_of?: string): Promise<string>;
  events(id: string): Promise<[string, object][]>;
}

/** Returns the expected error response. */
export const refused = (status: number, code: string, details?: object) => ({
  status,
  body: { code, ...(details && { details }) },
});

/** Starts the service. `office` creates a workspace on 10 February 2026. */
export async function openLeaveOffice() {
  const hr = await openHr();
  async function office(): Promise<LeaveOffice> {
    const time = stillClock('2026-02-10T10:00:00Z');
    const acme = await hr.company();
    const [boss, ada] = [acme.member({ can: [], name: 'Boss' }), acme.member({ can: [], name: 'Ada' })];
    const head = await acme.employ({ name: 'Boss', user_id: boss.caller.user_id });
    const ids = { boss: head, ada: await acme.employ({ user_id: ada.caller.user_id, manager_id: head }) };
    const type = await acme.leaveType({ days_per_year: '24', accrual: 'upfront' });
    const span = { leave_type_id: type, from: '2026-06-01', to: '2026-06-03' };
    const request: LeaveOffice['request'] = (body = {}, by = ada) =>
      by.post('/api/hrm/leave-request', { ...span, ...body });
    const act: LeaveOffice['act'] = (id, body, by = acme.owner) =>
      by.post(`/api/leave-application/update-status/${id}`, body);
    return {
      acme,
      boss,
      ada,
      time,
      ids,
      type,
      request,
      act,
      asked: async (body) => (await request(body)).body.data.id,
      create: (body = {}, by = acme.owner) =>
        by.post('/api/leave-application/create', { employee_id: ids.ada, ...span, ...body }),
      approve: (id, by) => act(id, { action: 'approve' }, by),
      list: async (query = '', by = acme.owner) => (await by.get(`/api/leave-applications?${query}`)).body.data,
      async available(as_of) {
        const { body } = await ada.get(`/api/hrm/get-leaves-types${as_of ? `?as_of=${as_of}` : ''}`);
        return body.data.find(({ id }: { id: string }) => id === type).balance.available;
      },
      events: async (id) =>
        (await hr.serving.sql`SELECT type, data FROM outbox WHERE aggregate_id = ${id} ORDER BY position`).map(
          ({ type: name, data }) => [name, data],
        ),
    };
  }
  return { ...hr, office };
}
