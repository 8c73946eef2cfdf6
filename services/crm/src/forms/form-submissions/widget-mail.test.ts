import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openCrm } from '../../../test/fixture.ts';
import { visitorsOf } from '../../../test/visitor.ts';
import { deliverWidgetMail } from './widget-mail.ts';

const { serving, platform, shop: openShop } = await openCrm();
const shop = await openShop();
const { widget, submit } = visitorsOf(serving, () => shop);
const rights = { permissions: ['lead.view'], modules: ['crm'] };

/** Submits a form to the widget of a user, and returns the delivery status of the e-mail after the given change. */
async function deliveryAfter(change: (user_id: string) => unknown): Promise<string> {
  const user_id = shop.hire({ name: 'Mia', email: `mia-${randomUUID()}@example.com` });
  platform.rights.set(user_id, rights);
  const email = `${randomUUID()}@example.com`;
  await submit(await widget({ owner_id: user_id }), { name: 'Ada', email });
  await change(user_id);
  const sent: unknown[] = [];
  const mailer = { send: (mail: unknown) => Promise.resolve(void sent.push(mail)) };
  while ((await deliverWidgetMail({ ...serving.tools, mailer } as never)) > 0);
  const [mail] = await serving.sql<{ delivery: string }>`
    SELECT delivery FROM widget_mails JOIN leads ON leads.id = lead_id WHERE leads.email = ${email}`;
  expect(sent).toHaveLength(mail!.delivery === 'sent' ? 1 : 0);
  return mail!.delivery;
}
const removeAccess = (less: object) => (user_id: string) => platform.rights.set(user_id, { ...rights, ...less });

describe('the e-mail about a new lead', () => {
  test('is sent to the owner of the form', async () => {
    expect(await deliveryAfter(() => undefined)).toBe('sent');
  });

  test.each([
    ['their account is disabled', (user_id: string) => (platform.residents.get(user_id)!.status = 'disabled')],
    ['they lose the permission', removeAccess({ permissions: ['deal.view'] })],
    ['they lose the module', removeAccess({ modules: ['projects'] })],
  ])('is not sent after %s', async (_, change) => {
    expect(await deliveryAfter(change)).toBe('dropped');
  });
});
