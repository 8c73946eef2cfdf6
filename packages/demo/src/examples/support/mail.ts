/**
 * Factories for mailboxes of the support desk, and example calls for e-mails. `$mailbox` is the ID of a shared record,
 * and `$mailbox!` the ID of a record created for the call.
 */
import type { ExampleCall, ExampleFactory } from '../recorder/recorder.ts';

const mailbox: ExampleFactory = (recorder, serial) =>
  recorder.call('mailboxes.create', {
    body: { address: `help.${serial}@bikes.example`, name: `Help ${serial}`, from_name: 'The bicycle shop' },
  });

const email = (to: string, subject: string): string =>
  [
    'From: Rita Requester <rita@bikes.example>',
    `To: ${to}`,
    `Subject: ${subject}`,
    '',
    'It slips under load.',
    '',
  ].join('\r\n');

export const mail: Record<string, ExampleFactory> = {
  mailbox,
  /** A mailbox with the code that was sent to its address. */
  unverified_mailbox: async (recorder, serial) => {
    const made = await mailbox(recorder, serial);
    return { ...made, code: await recorder.mailed(String(made['address']), 'mailbox_code') };
  },
  /** E-mail to an address that was never issued. */
  parked_mail: async (recorder, serial) => {
    const { token, address } = await recorder.shared('mailbox');
    const forged = String(address).replace('@', `+t000001.${'0'.repeat(20)}@`);
    const details = await recorder.refused('inbound.take', {
      as: String(token),
      body: email(forged, `A chain (${serial})`),
    });
    return { id: String(details['parked_id']) };
  },
  received_email: async (recorder, serial) => {
    const { token, address } = await recorder.shared('mailbox');
    await recorder.call('inbound.take', {
      as: String(token),
      body: email(String(address), `The brake squeals (${serial})`),
    });
    const received = (await recorder.call('receivedEmails.list', {})) as unknown as { id: string }[];
    return { id: received[0]!.id };
  },
  blocked_sender: (recorder, serial) =>
    recorder.call('blockedSenders.create', { body: { sender: `@spam.${serial}.example` } }),
};

export const mailCalls: Record<string, ExampleCall> = {
  'mailboxes.create': {
    body: { address: 'workshop@bikes.example', name: 'Workshop', from_name: 'The bicycle workshop' },
  },
  'mailboxes.update': {
    path: { id: '$mailbox' },
    body: { signature: 'The bicycle shop', authentication_server: 'mx.bikes.example' },
  },
  'mailboxes.verify': { path: { id: '$unverified_mailbox' }, body: { code: '$unverified_mailbox.code' } },
  'mailboxes.resend': { path: { id: '$mailbox!' } },
  'mailboxes.rotate': { path: { id: '$mailbox!' } },
  'mailboxes.remove': { path: { id: '$mailbox!' } },
  'inbound.take': { as: '$mailbox.token', body: email('help.1@bikes.example', 'The chain slips') },
  'inbound.retryParked': { path: { id: '$parked_mail!' } },
  'inbound.removeOne': { path: { id: '$parked_mail!' } },
  'receivedEmails.original': { path: { id: '$received_email' } },
  'receivedEmails.failedOriginal': { path: { id: '$parked_mail' } },
  'blockedSenders.create': { body: { sender: '@spam.example' } },
  'blockedSenders.remove': { path: { id: '$blocked_sender!' } },
};
