/** E-mail templates of platform, and the queue of e-mails to send. */
import { runAfterCommit } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import type { LinkPurpose } from './one-time-link.ts';

interface MailTemplate {
  /** Purpose of the link in the e-mail. */
  link?: LinkPurpose;
  /** Number of hours after which sending is abandoned. */
  give_up_h: number;
  /** True for the billing of the workspace: sent to active owners only. */
  for_owners?: true;
  subject: (workspace: string) => string;
  text: (facts: { name: string; workspace: string; link: string; about: MailDetails }) => string;
}

/**
 * Details that a notification names. The person who triggers a notification controls none of these texts, so it carries
 * no text of an attacker.
 */
export interface MailDetails {
  device?: string;
  address?: string;
  /** First characters of an API key. */
  prefix?: string;
  /** Name of a plan, and its last day. */
  plan?: string;
  ends_on?: string;
}

const originOf = ({ device, address }: MailDetails) =>
  `${device ?? 'an unknown device'} (IP address ${address || 'unknown'})`;

const NOT_YOU = 'If this was not you, contact an owner of your workspace immediately.';
const NOT_EXPECTED = 'If you did not expect this, contact an owner of your workspace immediately.';

const MAIL_TEMPLATES = {
  invitation: {
    link: 'accept_invitation',
    give_up_h: 72,
    subject: (workspace) => `Your invitation to ${workspace}`,
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nYou have been invited to ${workspace}. Follow this link to choose a password:\n\n${link}\n\nThe link works once and expires in 7 days.\n`,
  },
  reset_password: {
    link: 'reset_password',
    give_up_h: 0.5,
    subject: () => 'Choose a new password',
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nFollow this link to choose a new password for ${workspace}:\n\n${link}\n\nThe link works once and expires in 30 minutes. If you did not request it, ignore this e-mail.\n`,
  },
  verify_email: {
    link: 'verify_email',
    give_up_h: 24,
    subject: () => 'Confirm your new e-mail address',
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nFollow this link to sign in to ${workspace} with this address from now on:\n\n${link}\n\nThe link works once and expires in 24 hours. If you did not request it, ignore this e-mail.\n`,
  },
  verify_requested_email: {
    link: 'verify_requested_email',
    give_up_h: 72,
    subject: () => 'Confirm your new e-mail address',
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nAnother user has requested this address as your login for ${workspace}. To confirm the address, follow this link:\n\n${link}\n\nThe link works after the change has been approved at your current address. If an owner requested the change, the link also works after 7 days. It works once and expires in 14 days. If you did not expect this e-mail, ignore it.\n`,
  },
  approve_email: {
    link: 'approve_email',
    give_up_h: 72,
    subject: () => 'Action required: change of your e-mail address',
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nAnother user has requested a new e-mail address for your account at ${workspace}. Nothing changes unless you approve. Follow this link to approve or reject the change:\n\n${link}\n\n${NOT_EXPECTED}\n`,
  },
  approve_owners_email: {
    link: 'approve_email',
    give_up_h: 72,
    subject: () => 'Action required: change of your e-mail address',
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nAn owner of ${workspace} has requested a new e-mail address for your account. The change can take effect in 7 days unless you reject it. Follow this link to approve or reject the change:\n\n${link}\n\n${NOT_EXPECTED}\n`,
  },
  email_changed: {
    give_up_h: 72,
    subject: () => 'Your e-mail address was changed',
    text: ({ name, workspace }) =>
      `Hello ${name},\n\nThe e-mail address of your account at ${workspace} was changed. Sign in with the new address. ${NOT_YOU}\n`,
  },
  password_changed: {
    give_up_h: 72,
    subject: () => 'Your password was changed',
    text: ({ name, workspace }) => `Hello ${name},\n\nYour password for ${workspace} was changed. ${NOT_YOU}\n`,
  },
  new_device: {
    give_up_h: 72,
    subject: () => 'A new device has signed in',
    text: ({ name, workspace, about }) =>
      `Hello ${name},\n\nSomeone signed in to your account at ${workspace} from a new device: ${originOf(about)}.\n\nIf this was not you, choose a new password immediately. Then end unknown sessions and revoke your API keys.\n`,
  },
  second_factor_on: {
    give_up_h: 72,
    subject: () => 'A second factor was set up',
    text: ({ name, workspace, about }) =>
      `Hello ${name},\n\nYou now need a code to sign in to ${workspace}. The second factor was set up with ${originOf(about)}. ${NOT_YOU}\n`,
  },
  second_factor_off: {
    give_up_h: 72,
    subject: () => 'A second factor was disabled',
    text: ({ name, workspace, about }) =>
      `Hello ${name},\n\nA second factor of your account at ${workspace} was disabled with ${originOf(about)}. ${NOT_YOU}\n`,
  },
  new_api_key: {
    give_up_h: 72,
    subject: () => 'A new API key was created',
    text: ({ name, workspace, about }) =>
      `Hello ${name},\n\nAn API key that begins with ${about.prefix} was created for your account at ${workspace} with ${originOf(about)}.\n\nIf this was not you, revoke the key and choose a new password immediately.\n`,
  },
  trial_ending_soon: {
    for_owners: true,
    give_up_h: 72,
    subject: (workspace) => `The trial of ${workspace} ends soon`,
    text: ({ name, workspace }) =>
      `Hello ${name},\n\nThe trial of ${workspace} ends in a few days. Add a payment method to continue without an interruption. Without one, the workspace is paused. Your data is not deleted.\n`,
  },
  payment_failed: {
    for_owners: true,
    give_up_h: 72,
    subject: (workspace) => `A payment for ${workspace} has failed`,
    text: ({ name, workspace }) =>
      `Hello ${name},\n\nA payment for ${workspace} has failed. We will try again in the next few days. Update your payment method to keep access to ${workspace}.\n`,
  },
  payment_action_needed: {
    for_owners: true,
    give_up_h: 72,
    subject: (workspace) => `Action required: confirm your payment for ${workspace}`,
    text: ({ name, workspace }) =>
      `Hello ${name},\n\nYour bank asks you to confirm a payment for ${workspace}. Sign in, open your subscription, and confirm the payment there.\n`,
  },
  trial_ends: {
    for_owners: true,
    give_up_h: 24,
    subject: (workspace) => `The trial of ${workspace} ends soon`,
    text: ({ name, workspace, about }) =>
      `Hello ${name},\n\nThe trial of the plan ${about.plan} for ${workspace} ends on ${about.ends_on}. Subscribe to continue without an interruption. Your data is not deleted and remains available once you subscribe.\n`,
  },
} as const satisfies Record<string, MailTemplate>;

export type MailName = keyof typeof MAIL_TEMPLATES;

/** Returns the e-mail template with this name. */
export const mailFor = (name: string): MailTemplate => MAIL_TEMPLATES[name as MailName];

const HOUR_MS = 3_600_000;

/** Schedule that sends e-mails. */
export const DELIVER_MAIL = 'platform.deliver-mail';

/** Queues an e-mail in the current transaction. The e-mail is sent as soon as the transaction has committed. */
export async function queueMail(
  db: Db,
  name: MailName,
  user_id: string,
  email: string,
  about: MailDetails = {},
): Promise<void> {
  const give_up_at = new Date(clock.now().getTime() + MAIL_TEMPLATES[name].give_up_h * HOUR_MS);
  await db.outgoingMail.create({ data: { letter: name, user_id, email, give_up_at, facts: { ...about } } });
  runAfterCommit(DELIVER_MAIL);
}
