/** Factories for leave, and its example calls. */
import type { Bench, ExampleCall, Recipe, Row } from '../bench/bench.ts';
import { people } from '../platform/people.ts';
import { employ } from './staff.ts';

const SPAN = { from: '2026-06-08', to: '2026-06-10' };

/** Leave type without a balance that could run out, regardless of the date of these examples. */
const unpaid = async (bench: Bench): Promise<string> =>
  String((await bench.first('leaveTypes.list', { code: 'unpaid' })).id);

const askFor = async (bench: Bench, employee_id: string): Promise<Row> =>
  await bench.call('leaveApplications.create', { body: { employee_id, leave_type_id: await unpaid(bench), ...SPAN } });

const application: Recipe = async (bench, serial) => askFor(bench, (await employ(bench, serial + 400)).id);

/** Creates a leave request with a document, which needs a form, and the link to the document. */
const document: Recipe = async (bench, serial) => {
  const { email, password } = bench.owner;
  const session = await bench.call('sessions.login', { body: { email, password } });
  const { id: employee_id } = await employ(bench, serial + 900);
  const form = new FormData();
  const fields = { employee_id, leave_type_id: await unpaid(bench), ...SPAN };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.append('attachment', new Blob(['Off to Norway.'], { type: 'text/plain' }), 'ticket.txt');
  const headers = { authorization: `Bearer ${String(session['access_token'])}` };
  const address = `${bench.gateway}/api/leave-application/create`;
  const response = await fetch(address, { method: 'POST', headers, body: form });
  const { data: made } = (await response.json()) as { data: { id: string; attachment: { url: string } } };
  return { id: made.id, token: made.attachment.url.split('/').at(-1) ?? '' };
};

/** Leave request of an employee with a login, awaiting a decision. */
const toDecide: Recipe = async (bench, serial) => {
  const session = await people['person']!(bench, serial + 500);
  const manager = await employ(bench, serial + 500, { user: { user_id: session.id } });
  const { id } = await employ(bench, serial + 600, { manager_id: manager.id });
  return { ...(await askFor(bench, id)), access_token: session['access_token'] };
};

/** Leave request of an employee with a login. */
const own: Recipe = async (bench, serial) => {
  const session = await people['person']!(bench, serial + 700);
  await employ(bench, serial + 700, { user: { user_id: session.id } });
  const as = String(session['access_token']);
  const body = { leave_type_id: await unpaid(bench), ...SPAN };
  return { ...(await bench.call('ownLeave.create', { as, body })), access_token: as };
};

/** Creates the same leave request and cancels it. */
const cancelled: Recipe = async (bench, serial) => {
  const row = await own(bench, serial + 100);
  const path = { leaveapplication_id: row.id };
  await bench.call('leaveDecisions.decide', { path, body: { action: 'cancel' } });
  return row;
};

const link: Recipe = (bench, serial) =>
  bench.call('leaveCalendar.createLink', { body: { name: `Telephone ${serial}` } });

const unpaidType: Recipe = (bench) => bench.first('leaveTypes.list', { code: 'unpaid' });

export const leave = {
  leave_application: application,
  leave_document: document,
  leave_to_decide: toDecide,
  own_leave: own,
  cancelled_leave: cancelled,
  leave_calendar_link: link,
  unpaid_type: unpaidType,
} satisfies Record<string, Recipe>;

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
