import { describe, expect, test } from '@jest/globals';
import { openSupport } from '../../../test/fixture.ts';
import { deliverMail } from './mail-delivery.ts';
import { queueMail } from './mail.ts';

const { serving, platform, office: openOffice } = await openSupport();
const office = await openOffice();
const AGENT = { permissions: ['ticket.view'], modules: ['support'] };

/** Queues an e-mail to the assignee of a ticket, and returns its delivery status after the given change. */
async function deliveryAfter(kind: string, change: (assignee: string, ticket: string) => unknown): Promise<string> {
  const assignee_id = office.hire({ name: 'Mia', email: `mia-${crypto.randomUUID()}@northwind.test` });
  const requester = { name: 'Rita', email: 'rita@example.com' };
  const body = { subject: 'Help', description: 'Please.', requester, assignee_id };
  const reply = await office.owner.post('/api/support-ticket/ticket/store', body);
  expect(reply.body).toMatchObject({ data: {} });
  const { id } = reply.body.data;
  const to = platform.residents.get(assignee_id)!.email;
  const context = { workspace_id: office.workspace, caller: null, operation: 'test', request_id: crypto.randomUUID() };
  if (kind !== 'assignment')
    await serving.database.write(context, (db) =>
      queueMail(db as never, { id, number: 'T-1', subject: 'Help' }, { kind: kind as never, to, body: 'Secret' }),
    );
  platform.rights.set(assignee_id, AGENT);
  await change(assignee_id, id);
  const mailer = { send: () => Promise.resolve() };
  while ((await deliverMail({ ...serving.tools, mailer } as never)) > 0);
  const [mail] = await serving.sql<{ delivery: string }>`
    SELECT delivery FROM mails WHERE ticket_id = ${id} AND kind = ${kind} AND "to" = ${to}`;
  return mail!.delivery;
}
const lose = (less: object) => (user_id: string) => platform.rights.set(user_id, { ...AGENT, ...less });
const reassign = async (user_id: string, id: string) => {
  const { status } = await office.owner.post(`/api/support-ticket/ticket/update/${id}`, { assignee_id: null });
  expect(status).toBe(200);
  lose({ record_scopes: { ticket: 'own' } })(user_id);
};

describe.each(['assignment', 'failure', 'sla_notice'])('an e-mail to an agent: %s', (kind) => {
  test('is sent if they may see the ticket', async () => {
    expect(await deliveryAfter(kind, () => undefined)).toBe('sent');
  });

  test.each([
    ['their account is disabled', (user_id: string) => (platform.residents.get(user_id)!.status = 'disabled')],
    ['they lose the permission', lose({ permissions: ['faq.view'] })],
    ['they lose the module', lose({ modules: ['crm'] })],
    ['they no longer see the ticket', reassign],
  ])('is not sent after %s', async (_, change) => {
    expect(await deliveryAfter(kind, change)).toBe('dropped');
  });
});
