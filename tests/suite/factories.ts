/** Records that no single call creates: they need several calls, a form or an e-mail. */
import { dataOf } from '@suite/testing/http';
import { waitUntil } from '@suite/testing/waiting';
import type { FactoryContext } from './draft.ts';
import { createPay } from './pay-factories.ts';

/** Creates an employee with a salary and a viewed bank account, and the owner as an employee. */
export async function createStaff({ owner, stock, word }: FactoryContext): Promise<void> {
  const [designation] = await dataOf(owner.get('/api/designations'));
  const departments = await dataOf(owner.get('/api/departments?per_page=100'));
  const department = departments.find(({ id }: { id: string }) => id === designation.department_id);
  const employ = async (more: object): Promise<string> => {
    const place = { designation_id: designation.id, department_id: department.id, branch_id: department.branch_id };
    const terms = { name: word, joining_date: '2026-01-01', employment_type: 'full' };
    return (await dataOf(owner.post('/api/employee/create', { ...terms, ...place, ...more }))).id;
  };
  const id = await employ({
    national_id: word,
    bank: { bank_name: word, account_number: '1234567890' },
    salary: { basis: 'monthly', amount: '4250.00' },
  });
  await dataOf(owner.get(`/api/employee/show/${id}?reveal=bank`));
  const [{ id: leave_type_id }] = await dataOf(owner.get('/api/leave-types'));
  const granted = { employee_id: id, leave_type_id, days: '2', valid_from: '2026-01-01', reason: word };
  await dataOf(owner.post('/api/leave-balance/adjust', granted));
  await employ({ user: { user_id: (await dataOf(owner.get('/api/user'))).id } });
  const { change_requests } = await dataOf(owner.post('/api/hrm/profile', { tax_id: word }));
  stock.set(
    'change_request',
    change_requests.map((one: { id: string }) => one.id),
  );
  const [{ id: type_id }] = await dataOf(owner.get('/api/document-types'));
  const form = new FormData();
  form.set('type_id', type_id);
  form.append('file', new Blob(['plain text'], { type: 'text/plain' }), `${word}.txt`);
  stock.set('employee_document', [(await dataOf(owner.upload(`/api/employee/document/${id}`, form))).id]);
  await createRecords(
    { owner, stock, word },
    { id, department_id: department.id, others: [await employ({}), await employ({})] },
  );
  stock.set('device_token', [
    (await dataOf(owner.post('/api/attendance-device/create', { name: `${word} gate` }))).token,
  ]);
  stock.set('employee', [...(stock.get('employee') ?? []), id]);
  const user_id = stock.get('user')?.[0];
  const last = await employ({ user: { user_id } });
  await createLeave({ owner, stock, employee_id: id, user_id });
  await createNotices({ owner, stock, word }, department.branch_id);
  await createPay({ owner, stock, word }, id);
  // The schedule grants leave to new employees, and to this one last.
  const ledger = `/api/leave-ledger?employee_id=${last}&kind[in]=accrual,allocation`;
  await waitUntil('leave is granted', async () => (await dataOf(owner.get(ledger))).length > 0);
}

/** Creates granted and shortened leave, a pending request, and a deputy. */
async function createLeave({
  owner,
  stock,
  employee_id,
  user_id,
}: Pick<FactoryContext, 'owner' | 'stock'> & { employee_id: string; user_id: string | undefined }): Promise<void> {
  const [{ id: leave_type_id }] = await dataOf(owner.get('/api/leave-types?code=unpaid'));
  const ask = async (from: string, to: string): Promise<string> =>
    (await dataOf(owner.post('/api/leave-application/create', { employee_id, leave_type_id, from, to }))).id;
  const decide = (id: string, body: object) => dataOf(owner.post(`/api/leave-application/update-status/${id}`, body));
  const granted = await ask('2026-03-02', '2026-03-04');
  await decide(granted, { action: 'approve' });
  await decide(granted, { action: 'cancel', from: '2026-03-04' });
  stock.set('leave_application', [await ask('2026-04-13', '2026-04-14'), granted]);
  await dataOf(owner.post('/api/hrm/deputy', { user_id, from: '2026-03-02', to: '2999-12-31' }));
}

/** Creates a record of each kind about employees. */
async function createRecords(
  { owner, stock, word }: Pick<FactoryContext, 'owner' | 'stock' | 'word'>,
  { id, department_id, others }: { id: string; department_id: string; others: string[] },
): Promise<void> {
  const make = async (path: string, body: object): Promise<string> => {
    const made = (await dataOf(owner.post(`/api/${path}/create`, body))).id;
    const noun = path.replaceAll('-', '_');
    stock.set(noun, [...(stock.get(noun) ?? []), made]);
    return made;
  };
  const [resigned, dismissed] = others;
  const said = { employee_id: id, reason: word };
  const salary = { basis: 'monthly', amount: '5000.00' };
  const to_designation_id = await make('designation', { name: `${word} head`, department_id });
  await make('promotion', { ...said, to_designation_id, salary, effective_date: '2026-06-01' });
  const to_branch_id = await make('branch', { name: `${word} elsewhere` });
  await make('employee-transfer', { ...said, to_branch_id, effective_date: '2026-06-01' });
  const notice = { ...said, notice_date: '2026-06-01' };
  await make('resignation', { ...notice, employee_id: resigned, last_day: '2030-06-30' });
  await make('termination', { ...notice, employee_id: dismissed, type: 'dismissal', date: '2030-06-30' });
  await make('award', { employee_id: id, type: word, title: word, date: '2026-06-01' });
  await make('warning', { employee_id: id, subject: word, severity: 'verbal', date: '2026-06-01', text: word });
  const complaint = { subject: word, date: '2026-06-01', description: word, from_employee_id: id };
  await make('complaint', { ...complaint, against_employee_id: resigned });
  await make('complaint', { ...complaint, anonymous: true });
}

/** Creates an announcement that the employees of a branch must acknowledge. */
async function createNotices(
  { owner, stock, word }: Omit<FactoryContext, 'gateway'>,
  branch_id: string,
): Promise<void> {
  const news = { title: `${word} news`, body: word, requires_ack: true, audience: { branch_ids: [branch_id] } };
  const { id } = await dataOf(owner.post('/api/announcement/create', news));
  await dataOf(owner.post(`/api/announcement/update-status/${id}`, { action: 'publish' }));
  const due: { id: string }[] = await dataOf(owner.get(`/api/acknowledgments?announcement_id=${id}`));
  stock.set(
    'acknowledgment',
    due.map((one) => one.id),
  );
}

/** Creates a project with members, tasks that block each other, and billed time. */
export async function createProject({ owner, stock, word }: FactoryContext): Promise<void> {
  const post = (path: string, body: object) => dataOf(owner.post(path, body));
  const [user_id, client_id] = [stock.get('user')?.[0], stock.get('client')?.[0]];
  const customer_id = stock.get('customer')?.[0];
  const project = await post('/api/projects/create', {
    name: word,
    customer_id,
    hourly_rate: '80',
    status: 'in_progress',
  });
  const project_id = project.id;
  await post('/api/project/member/create', { project_id, user_id, role: 'member', hourly_rate: '70' });
  await post('/api/project/client/invite', { project_id, client_id });
  await post('/api/project/notification-settings', { due: 'none' });
  const task = (title: string, more: object = {}) => post(`/api/project/${project_id}/task/create`, { title, ...more });
  const [first, gone] = [await task(word, { assignee_ids: [user_id] }), await task(`${word} gone`)];
  await task(`${word} later`, { blocked_by: [first.id] });
  await dataOf(owner.delete(`/api/project/${project_id}/task/delete/${gone.id}`));
  await post('/api/time-settings/update', {
    self_approval: true,
    user_rates: [{ user_id, hourly_rate: '60', cost_rate: '40' }],
  });
  const hours = (day: string) => ({ started_at: `${day}T08:00:00Z`, ended_at: `${day}T09:00:00Z`, timezone: 'UTC' });
  const track = async (day: string, more: object = {}): Promise<string> =>
    (await post('/api/add-tracker', { project_id, description: word, ...hours(day), ...more })).id;
  const approve = async (day: string, of: object = {}): Promise<string> => {
    const id = await track(day, of);
    await post('/api/timesheet/submit', { from: day, to: day });
    await post('/api/timesheet/approve', { entry_ids: [id] });
    return id;
  };
  await approve('2026-03-02', { task_id: first.id });
  await post(`/api/project/invoice/${project_id}`, {});
  const cash = await post('/api/expenses/create', {
    date: '2026-03-02',
    category_id: (await dataOf(owner.get('/api/expense-categories')))[0].id,
    bank_account_id: (await dataOf(owner.get('/api/bank-accounts')))[0].id,
    amount: '30.00',
    project_id,
  });
  for (const step of ['approve', 'post']) await post(`/api/expenses/${step}/${cash.id}`, {});
  stock.set('approved_time', [await approve('2026-03-03')]);
  const known = stock.get('project') ?? [];
  if (known[0]) await approve('2026-03-04', { project_id: known[0] });
  stock.set('project', [...known, project_id]);
  stock.set('submitted_time', [await track('2026-03-06')]);
  await post('/api/timesheet/submit', { from: '2026-03-06', to: '2026-03-06' });
  stock.set('time_entry', [await track('2026-03-05')]);
  await post('/api/add-tracker', { project_id, description: word });
  const [invited] = await dataOf(owner.get(`/api/project/clients?project_id=${project_id}`));
  stock.set('project_client', [invited.id]);
}

/**
 * Creates a ticket with files, a reply and a note. An article with changes and votes; failed e-mails and an e-mail
 * loop.
 */
export async function createTicketRecords(
  { gateway, owner, stock, word }: FactoryContext,
  ticket_id: string,
): Promise<void> {
  const base = '/api/support-ticket';
  const form = (fields: Record<string, string>) => {
    const filled = new FormData();
    for (const [name, value] of Object.entries(fields)) filled.set(name, value);
    filled.append('files', new Blob(['plain text'], { type: 'text/plain' }), `${word}.txt`);
    return filled;
  };
  const opened = await dataOf(owner.upload(`${base}/ticket/store`, form({ subject: word, description: word })));
  stock.set('ticket', [ticket_id, opened.id]);
  // Resolved, so that the resolution time is recorded.
  await dataOf(owner.post(`${base}/ticket/add-reply/${opened.id}`, { body: word, status: 'resolved' }));
  await dataOf(owner.upload(`${base}/ticket/note/store/${ticket_id}`, form({ body: word })));
  // The requester of a merged ticket reads the replies to the remaining ticket.
  const requester = { name: word, email: `${word}.merged@sender.test` };
  const merged = await dataOf(owner.post(`${base}/ticket/store`, { subject: word, description: word, requester }));
  await dataOf(owner.post(`${base}/ticket/merge/${merged.id}`, { into: ticket_id, force: true }));
  await dataOf(owner.post(`${base}/ticket/add-reply/${ticket_id}`, { body: word }));
  const article = await dataOf(
    owner.post(`${base}/knowledge/store`, { title: `${word} known`, body: word, status: 'published' }),
  );
  await dataOf(owner.post(`${base}/knowledge/update/${article.id}`, { body: `${word} again` }));
  await dataOf(owner.post(`${base}/knowledge/vote/${article.id}`, { helpful: true }));
  const box = { address: `${word}@mail.test`, name: word, from_name: word };
  const { token } = await dataOf(owner.post(`${base}/mailbox/store`, box));
  const headers = { 'content-type': 'message/rfc822', authorization: `Bearer ${token}` };
  const hand = (text: string) => fetch(`${gateway}${base}/inbound`, { method: 'POST', headers, body: text });
  await hand(`Subject: ${word}\r\n\r\nfrom nobody\r\n`);
  for (let time = 0; time < 5; time += 1)
    await hand(`From: ${word}@sender.test\r\nSubject: ${word} ${time}\r\n\r\n${word}\r\n`);
  await hand(`From: ${word}@sender.test\r\nTo: ${word}+t000001.0123456789abcdef0123@mail.test\r\n\r\n${word}\r\n`);
  const parked: { id: string; reason: string }[] = await dataOf(owner.get(`${base}/parked-mails`));
  const isForged = ({ reason }: { reason: string }) => reason === 'forged_thread';
  // The first of them can be turned into a ticket.
  stock.set(
    'parked_mail',
    parked.toSorted((a, b) => Number(isForged(b)) - Number(isForged(a))).map(({ id }) => id),
  );
  const received: { id: string }[] = await dataOf(owner.get(`${base}/emails`));
  for (const noun of ['email', 'mail_message'])
    stock.set(
      noun,
      received.map(({ id }) => id),
    );
  stock.set('mailbox_token', [token]);
  const shown = await dataOf(owner.get(`${base}/ticket/show/${opened.id}`));
  stock.set('file_token', [shown.attachments[0].url.split('/').at(-1)]);
}
