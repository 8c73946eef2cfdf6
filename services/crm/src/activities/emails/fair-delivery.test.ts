import { describe, expect, test } from '@jest/globals';
import { openCrm } from '../../../test/fixture.ts';
import { deliverMail } from './mail-delivery.ts';

const { serving, shop } = await openCrm();

const tools = serving.tools as unknown as Parameters<typeof deliverMail>[0];
const sent: string[] = [];
const mailer = { send: async ({ to }: { to: string }) => void sent.push(to) };
const deliverBatch = async (): Promise<string[]> => {
  sent.length = 0;
  await deliverMail({ ...tools, mailer });
  return [...sent];
};

/** Creates a workspace with `count` queued e-mails to one address. */
async function queueEmails(count: number, address: string): Promise<void> {
  const { owner, workspace } = await shop();
  const { id } = (await owner.post('/api/lead/create', { name: 'Ada' })).body.data;
  const message = { to: [address], subject: 'Offer', body: 'Dear Ada' };
  await owner.post(`/api/lead-email/store/${id}`, message);
  await serving.sql`
    INSERT INTO emails (id, workspace_id, lead_id, "to", cc, subject, body, updated_at)
    SELECT gen_random_uuid(), workspace_id, lead_id, "to", cc, subject, body, now() FROM emails, generate_series(2, ${count})
    WHERE workspace_id = ${workspace}`;
}

describe('e-mail delivery', () => {
  test('does not delay another workspace behind 600 queued e-mails of one', async () => {
    await queueEmails(600, 'many@example.com');
    await queueEmails(1, 'one@example.com');
    const batch = await deliverBatch();
    expect(batch).toContain('one@example.com');
    expect(batch).toHaveLength(20);
    expect(batch.indexOf('one@example.com')).toBeLessThan(2);
  });

  test('includes each of 25 workspaces in every batch, regardless of queue order', async () => {
    const addresses = Array.from({ length: 25 }, (_, at) => `workspace-${at}@example.com`);
    for (const address of addresses) await queueEmails(2, address);
    for (const _ of [1, 2]) {
      const batch = await deliverBatch();
      expect(addresses.filter((address) => !batch.includes(address))).toEqual([]);
    }
  });
});
