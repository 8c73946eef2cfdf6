import { describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { openWorkspace } from '../../../test/workspace.ts';
import type { Database } from '@suite/chassis/database';
import { withoutCaller, type Db } from '../../operations.ts';
import { deliverMail } from './mail-delivery.ts';
import { type MailName, queueMail } from './mail-templates.ts';

// Started without schedules, so that only the tests deliver.
const platform = await start({ ...contents, schedules: [] });

interface SentMail {
  to: string;
  text: string;
  message_id: string;
}

/** Delivers due e-mails through a mailer that fails the given number of times. */
async function deliver(failures = 0): Promise<SentMail[]> {
  const sent: SentMail[] = [];
  let left = failures;
  const mailer = {
    async send(mail: SentMail) {
      if (left > 0) {
        left -= 1;
        throw new Error('451 try again later');
      }
      sent.push(mail);
    },
  };
  await deliverMail.work({ ...platform.tools, mailer } as never);
  return sent;
}

async function queued() {
  const acme = await openWorkspace(platform);
  await (await acme.as('owner')).post(`/api/user/reset-password/${acme.users.staff}`);
  const row = async () =>
    (await platform.sql`SELECT status, attempts, last_error FROM outgoing_mail WHERE user_id = ${acme.users.staff}`)[0];
  const due = () => platform.sql`UPDATE outgoing_mail SET next_at = now() WHERE user_id = ${acme.users.staff}`;
  return { acme, row, due };
}

describe('a queued e-mail', () => {
  test('is sent once', async () => {
    const { acme, row } = await queued();
    expect((await deliver()).map(({ to }) => to)).toEqual([acme.email('staff')]);
    expect(await deliver()).toEqual([]);
    expect(await row()).toEqual({ status: 'sent', attempts: 1, last_error: null });
  });

  test('is sent again later if rejected, with the same message ID and a new link', async () => {
    const { row, due } = await queued();
    expect(await deliver(1)).toEqual([]);
    expect(await row()).toEqual({ status: 'queued', attempts: 1, last_error: '451 try again later' });
    expect(await deliver()).toEqual([]);
    await due();
    const [sent] = await deliver();
    expect(sent!.message_id).toMatch(/^<[\w-]+@suite\.test>$/);
    expect(await row()).toEqual({ status: 'sent', attempts: 2, last_error: null });
  });

  test('is dropped after its time limit', async () => {
    const { acme, row } = await queued();
    await platform.sql`UPDATE outgoing_mail SET give_up_at = now() WHERE user_id = ${acme.users.staff}`;
    await deliver(1);
    expect(await row()).toMatchObject({ status: 'failed' });
  });

  test('contains no link before it is sent, and stores only its hash', async () => {
    const { acme } = await queued();
    const links = () =>
      platform.sql`SELECT to_jsonb(one_time_links) AS link FROM one_time_links WHERE user_id = ${acme.users.staff}`;
    expect(await links()).toEqual([]);
    const [{ text }] = (await deliver()) as [SentMail];
    const token = /=([\w-]{43})\n/.exec(text)![1]!;
    const stored = JSON.stringify([
      await links(),
      await platform.sql`SELECT to_jsonb(outgoing_mail) FROM outgoing_mail`,
    ]);
    expect(stored).toContain(acme.email('staff'));
    expect(stored).not.toContain(token);
  });

  test('is not sent to a user who was deleted in the meantime', async () => {
    const { acme, row } = await queued();
    await (await acme.as('owner')).delete(`/api/user/delete/${acme.users.staff}`);
    expect(await deliver()).toEqual([]);
    expect(await row()).toMatchObject({ status: 'cancelled' });
  });
});

describe.each<MailName>(['trial_ends', 'trial_ending_soon', 'payment_failed', 'payment_action_needed'])(
  'the e-mail %s to owners',
  (mail) => {
    test.each([
      ['is sent to an active owner', 'active', 'sent'],
      ['is withdrawn if the owner was disabled before it is sent', 'disabled', 'dropped'],
    ])('%s', async (_, status, delivery) => {
      const acme = await openWorkspace(platform);
      const user_id = acme.users.owner;
      await (platform.database as Database<Db>).write(withoutCaller('test', acme.id), (db) =>
        queueMail(db, mail, user_id, acme.email('owner'), { plan: 'Business', ends_on: '2026-06-16' }),
      );
      await platform.sql`UPDATE users SET status = ${status} WHERE id = ${user_id}`;
      const sent = await deliver();
      const rows = await platform.sql`SELECT status FROM outgoing_mail WHERE user_id = ${user_id} AND letter = ${mail}`;
      expect([rows, sent.length]).toEqual([[{ status: delivery }], delivery === 'sent' ? 1 : 0]);
    });
  },
);
