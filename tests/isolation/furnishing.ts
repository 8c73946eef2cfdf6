/** Records that no ordinary call makes: they come of several calls, or of a form or an e-mail. */
import type { HttpCaller, Reply } from '@suite/testing';
import type { RecordIds } from '../suite/draft.ts';

/** The place that is furnished. */
interface Place {
  gateway: string;
  owner: HttpCaller;
  stock: RecordIds;
  /** Stands in all texts. */
  word: string;
}

function done({ status, body }: Reply) {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body.data;
}

const DAY_MS = 86_400_000;

/** A project with people on it, tasks that wait for each other, and time that was billed. */
export async function furnishProject({ owner, stock, word }: Place): Promise<void> {
  const post = async (path: string, body: object) => done(await owner.post(path, body));
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
  done(await owner.delete(`/api/project/${project_id}/task/delete/${gone.id}`));
  await post('/api/time-settings/update', {
    self_approval: true,
    user_rates: [{ user_id, hourly_rate: '60', cost_rate: '40' }],
  });
  const day = new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10);
  const hour = { started_at: `${day}T08:00:00Z`, ended_at: `${day}T09:00:00Z`, timezone: 'UTC' };
  const billed = await post('/api/add-tracker', { project_id, task_id: first.id, description: word, ...hour });
  await post('/api/timesheet/submit', { from: day, to: day });
  await post('/api/timesheet/approve', { entry_ids: [billed.id] });
  await post(`/api/project/invoice/${project_id}`, {});
  const entry = await post('/api/add-tracker', { project_id, description: word });
  stock.set('time_entry', [entry.id]);
  stock.set('project_client', [done(await owner.get(`/api/project/clients?project_id=${project_id}`))[0].id]);
}

/** A ticket with files, a reply and a note; an article that changed and was voted on; e-mails that were parked and flooded. */
export async function furnishDesk({ gateway, owner, stock, word }: Place, ticket_id: string): Promise<void> {
  const base = '/api/support-ticket';
  const form = (fields: Record<string, string>) => {
    const filled = new FormData();
    for (const [name, value] of Object.entries(fields)) filled.set(name, value);
    filled.append('files', new Blob(['plain text'], { type: 'text/plain' }), `${word}.txt`);
    return filled;
  };
  const opened = done(await owner.upload(`${base}/ticket/store`, form({ subject: word, description: word })));
  // Resolved, so that it is counted how long that took.
  done(await owner.post(`${base}/ticket/add-reply/${opened.id}`, { body: word, status: 'resolved' }));
  done(await owner.upload(`${base}/ticket/note/store/${ticket_id}`, form({ body: word })));
  const article = done(
    await owner.post(`${base}/knowledge/store`, { title: `${word} known`, body: word, status: 'published' }),
  );
  done(await owner.post(`${base}/knowledge/update/${article.id}`, { body: `${word} again` }));
  done(await owner.post(`${base}/knowledge/vote/${article.id}`, { helpful: true }));
  const box = { address: `${word}@mail.test`, name: word, from_name: word };
  const { token } = done(await owner.post(`${base}/mailbox/store`, box));
  const headers = { 'content-type': 'message/rfc822', authorization: `Bearer ${token}` };
  const hand = (text: string) => fetch(`${gateway}${base}/inbound`, { method: 'POST', headers, body: text });
  await hand(`Subject: ${word}\r\n\r\nfrom nobody\r\n`);
  for (let time = 0; time < 5; time += 1)
    await hand(`From: ${word}@sender.test\r\nSubject: ${word} ${time}\r\n\r\n${word}\r\n`);
  const [parked] = done(await owner.get(`${base}/parked-mails`));
  stock.set('parked_mail', [parked.id]);
}
