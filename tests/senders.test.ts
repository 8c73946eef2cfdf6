/** Recipients of automatic messages: each queue of e-mails and each sender of text messages checks them when it sends. */
import { readFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Functions that check a recipient at the time of sending. */
const CHECKS = /\b(?:recipientOf|recipientWithAccess|hasModule|findReminderRecipient)\(/;

/** Senders without such a check, and why. */
const WITHOUT_CHECK: Readonly<Record<string, string>> = {
  'services/crm/src/activities/emails/mail-delivery.ts': 'A user writes to addresses that they chose.',
  'services/platform/src/identity/mail/mail-delivery.ts':
    'The rights are stored in the same service, which checks owners.',
  'services/support/src/settings/mailboxes/mailbox-verification.ts': 'The recipient is the address to verify.',
};

/** Source files that send messages. */
const senders = globSync('services/*/src/**/*.ts', { cwd: new URL('..', import.meta.url).pathname })
  .filter((path) => !path.endsWith('.test.ts') && !path.includes('/generated/'))
  .map((path) => ({ path, text: readFileSync(new URL(`../${path}`, import.meta.url), 'utf8') }))
  .filter(({ text }) => /\bmailQueue<|\.platform\.sendSms\(/.test(text));

test.each(senders.map(({ path, text }) => [path, text]))('%s checks its recipients', (path, text) => {
  expect([path, CHECKS.test(text)]).toEqual([path, WITHOUT_CHECK[path] === undefined]);
});

test('the exceptions are senders', () => {
  expect(Object.keys(WITHOUT_CHECK).filter((path) => !senders.some((sender) => sender.path === path))).toEqual([]);
});
