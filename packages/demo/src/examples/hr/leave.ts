/**
 * Factories for leave, and its example calls. `$own_leave` is the ID of a shared record, and `$own_leave!` the ID of a
 * record created for the call.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';
import { people } from '../platform/people.ts';
import { createEmployee } from './staff.ts';

const SPAN = { from: '2026-06-08', to: '2026-06-10' };

/** Leave type without a balance that could run out, regardless of the date of these examples. */
const unpaid = async (recorder: ExampleRecorder): Promise<string> =>
  String((await recorder.first('leaveTypes.list', { code: 'unpaid' })).id);

const createLeaveRequest = async (recorder: ExampleRecorder, employee_id: string): Promise<Row> =>
  await recorder.call('leaveApplications.create', {
    body: { employee_id, leave_type_id: await unpaid(recorder), ...SPAN },
  });

const application: ExampleFactory = async (recorder, serial) =>
  createLeaveRequest(recorder, (await createEmployee(recorder, serial + 400)).id);

/** Creates a leave request with a document, which needs a form, and the link to the document. */
const document: ExampleFactory = async (recorder, serial) => {
  const { email, password } = recorder.owner;
  const session = await recorder.call('sessions.login', { body: { email, password } });
  const { id: employee_id } = await createEmployee(recorder, serial + 900);
  const form = new FormData();
  const fields = { employee_id, leave_type_id: await unpaid(recorder), ...SPAN };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.append('attachment', new Blob(['Off to Norway.'], { type: 'text/plain' }), 'ticket.txt');
  const headers = { authorization: `Bearer ${String(session['access_token'])}` };
  const address = `${recorder.gateway}/api/leave-application/create`;
  const response = await fetch(address, { method: 'POST', headers, body: form });
  const { data: made } = (await response.json()) as { data: { id: string; attachment: { url: string } } };
  return { id: made.id, token: made.attachment.url.split('/').at(-1) ?? '' };
};

/** Leave request of an employee with a login, awaiting a decision. */
const pendingLeaveRequest: ExampleFactory = async (recorder, serial) => {
  const session = await people['person']!(recorder, serial + 500);
  const manager = await createEmployee(recorder, serial + 500, { user: { user_id: session.id } });
  const { id } = await createEmployee(recorder, serial + 600, { manager_id: manager.id });
  return { ...(await createLeaveRequest(recorder, id)), access_token: session['access_token'] };
};

/** Leave request of an employee with a login. */
const ownLeaveRequest: ExampleFactory = async (recorder, serial) => {
  const session = await people['person']!(recorder, serial + 700);
  await createEmployee(recorder, serial + 700, { user: { user_id: session.id } });
  const as = String(session['access_token']);
  const body = { leave_type_id: await unpaid(recorder), ...SPAN };
  return { ...(await recorder.call('ownLeave.create', { as, body })), access_token: as };
};

/** Creates the same leave request and cancels it. */
const cancelledLeaveRequest: ExampleFactory = async (recorder, serial) => {
  const row = await ownLeaveRequest(recorder, serial + 100);
  const path = { leaveapplication_id: row.id };
  await recorder.call('leaveDecisions.decide', { path, body: { action: 'cancel' } });
  return row;
};

const link: ExampleFactory = (recorder, serial) =>
  recorder.call('leaveCalendar.createLink', { body: { name: `Telephone ${serial}` } });

const unpaidType: ExampleFactory = (recorder) => recorder.first('leaveTypes.list', { code: 'unpaid' });

export const leave = {
  leave_application: application,
  leave_document: document,
  leave_to_decide: pendingLeaveRequest,
  own_leave: ownLeaveRequest,
  cancelled_leave: cancelledLeaveRequest,
  leave_calendar_link: link,
  unpaid_type: unpaidType,
} satisfies Record<string, ExampleFactory>;

export const leaveCalls = {
  'leaveApplications.create': {
    body: { employee_id: '$employee!', leave_type_id: '$unpaid_type', ...SPAN, reason: 'Sailing to Norway' },
  },
  'leaveApplications.update': {
    path: { leaveapplication_id: '$leave_application!' },
    body: { to: '2026-06-11', ends_midday: true },
  },
  'leaveApplications.remove': { path: { leaveapplication_id: '$leave_application!' } },
  'leaveApplications.download': { as: '', path: { token: '$leave_document.token' } },
  'leaveDecisions.decide': {
    path: { leaveapplication_id: '$leave_application!' },
    body: { action: 'approve', remark: 'Fair winds' },
  },
  'leaveApprovals.list': { as: '$leave_to_decide.access_token' },
  'leaveApprovals.decide': {
    as: '$leave_to_decide!.access_token',
    path: { leaveapplication_id: '$leave_to_decide!' },
    body: { action: 'reject', remark: 'We take stock in that week' },
  },
  'ownLeave.list': { as: '$own_leave.access_token' },
  'ownLeave.types': { as: '$own_leave.access_token', query: { as_of: '2026-06-30' } },
  'ownLeave.create': { as: '$clerk!.access_token', body: { leave_type_id: '$unpaid_type', ...SPAN } },
  'ownLeave.update': {
    as: '$own_leave!.access_token',
    path: { leaveapplication_id: '$own_leave!' },
    body: { to: '2026-06-09' },
  },
  'ownLeave.cancel': { as: '$cancelled_leave!.access_token', path: { leaveapplication_id: '$cancelled_leave!' } },
  'deputies.name': {
    as: '$clerk!.access_token',
    body: { user_id: '$clerk', from: '2026-06-08', to: '2999-12-31' },
  },
  'leaveCalendar.show': { query: { from: '2026-06-01', to: '2026-06-30' } },
  'leaveCalendar.byLink': { as: '', path: { token: '$leave_calendar_link!.token' } },
  'leaveCalendar.createLink': { body: { name: 'My telephone' } },
  'leaveCalendar.removeLink': { path: { id: '$leave_calendar_link!' } },
} satisfies Record<string, ExampleCall>;
