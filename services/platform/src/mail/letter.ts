/** The letters that platform writes, and the queue in which they wait to be sent. */
import { clock, dueAtOnce } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { LinkPurpose } from './one-time-link.ts';

interface LetterKind {
  /** The purpose of the link in it. */
  link?: LinkPurpose;
  /** How long it is worth trying to send it. */
  give_up_h: number;
  subject: (workspace: string) => string;
  text: (facts: { name: string; workspace: string; link: string; about: About }) => string;
}

/** The circumstances that a notice names. Nobody who causes a notice chooses any of them: it carries no text of a thief. */
export interface About {
  device?: string;
  address?: string;
  /** The first characters of a key. */
  prefix?: string;
  /** The name of a plan, and the day on which it ends. */
  plan?: string;
  ends_on?: string;
}

const from = ({ device, address }: About) => `${device ?? 'a program'}, from the address ${address || 'unknown'}`;

const NOT_YOU = 'If this was not you, ask an owner of your workspace for help at once.';

const letters = {
  invitation: {
    link: 'accept_invitation',
    give_up_h: 72,
    subject: (workspace) => `Your invitation to ${workspace}`,
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nyou have been invited to ${workspace}. Follow this link to choose a password:\n\n${link}\n\nThe link works once, for seven days.\n`,
  },
  reset_password: {
    link: 'reset_password',
    give_up_h: 0.5,
    subject: () => 'Choose a new password',
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nfollow this link to choose a new password for ${workspace}:\n\n${link}\n\nThe link works once, for 30 minutes. If you did not ask for it, you need not do anything.\n`,
  },
  verify_email: {
    link: 'verify_email',
    give_up_h: 24,
    subject: () => 'Confirm your new e-mail address',
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nfollow this link to sign in to ${workspace} with this address from now on:\n\n${link}\n\nThe link works once, for 24 hours. If you did not ask for it, you need not do anything.\n`,
  },
  verify_requested_email: {
    link: 'verify_requested_email',
    give_up_h: 72,
    subject: () => 'Confirm your new e-mail address',
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nA colleague has requested that you sign in to ${workspace} with this address. Your current address must approve the change first. Then follow this link:\n\n${link}\n\nThe link works once, for 14 days. If you did not expect this e-mail, ignore it.\n`,
  },
  approve_email: {
    link: 'approve_email',
    give_up_h: 72,
    subject: () => 'Action required: change of your e-mail address',
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nA colleague has requested another e-mail address for your account at ${workspace}. Nothing changes unless you approve. Follow this link to approve or reject the change:\n\n${link}\n\n${NOT_YOU}\n`,
  },
  approve_owners_email: {
    link: 'approve_email',
    give_up_h: 72,
    subject: () => 'Action required: change of your e-mail address',
    text: ({ name, workspace, link }) =>
      `Hello ${name},\n\nAn owner of ${workspace} has requested another e-mail address for your account. The change can take effect in seven days unless you reject it. Follow this link to approve or reject the change:\n\n${link}\n\nContact an owner immediately if you did not expect this.\n`,
  },
  email_changed: {
    give_up_h: 72,
    subject: () => 'Your e-mail address was changed',
    text: ({ name, workspace }) =>
      `Hello ${name},\n\nyou now sign in to ${workspace} with another e-mail address. ${NOT_YOU}\n`,
  },
  password_changed: {
    give_up_h: 72,
    subject: () => 'Your password was changed',
    text: ({ name, workspace }) => `Hello ${name},\n\nyour password for ${workspace} was changed. ${NOT_YOU}\n`,
  },
  new_device: {
    give_up_h: 72,
    subject: () => 'A new device has signed in',
    text: ({ name, workspace, about }) =>
      `Hello ${name},\n\nsomebody signed in to ${workspace} as you with a device that we do not know: ${from(about)}.\n\nIf this was not you, choose a new password, end the sessions that are not yours and revoke your API keys at once.\n`,
  },
  second_factor_on: {
    give_up_h: 72,
    subject: () => 'Your second factor is on',
    text: ({ name, workspace, about }) =>
      `Hello ${name},\n\nfrom now on a code of your authenticator app is asked for when you sign in to ${workspace}. It was set up by ${from(about)}. ${NOT_YOU}\n`,
  },
  second_factor_off: {
    give_up_h: 72,
    subject: () => 'Your second factor is off',
    text: ({ name, workspace, about }) =>
      `Hello ${name},\n\nno code is asked for any more when you sign in to ${workspace}. It was switched off by ${from(about)}. ${NOT_YOU}\n`,
  },
  new_api_key: {
    give_up_h: 72,
    subject: () => 'A new API key was made',
    text: ({ name, workspace, about }) =>
      `Hello ${name},\n\nan API key that begins with ${about.prefix} was made for your account at ${workspace}: ${from(about)}.\n\nIf this was not you, revoke it and choose a new password at once.\n`,
  },
  trial_ending_soon: {
    give_up_h: 72,
    subject: (workspace) => `The trial of ${workspace} ends soon`,
    text: ({ name, workspace }) =>
      `Hello ${name},\n\nthe trial of ${workspace} ends in a few days. Add a means of payment to go on without an interruption; without one it pauses, and nothing is lost.\n`,
  },
  payment_failed: {
    give_up_h: 72,
    subject: (workspace) => `A payment for ${workspace} has failed`,
    text: ({ name, workspace }) =>
      `Hello ${name},\n\na payment for ${workspace} has failed. It is tried again in the next days; check your means of payment, so that ${workspace} stays open.\n`,
  },
  payment_action_needed: {
    give_up_h: 72,
    subject: (workspace) => `A payment for ${workspace} needs you`,
    text: ({ name, workspace }) =>
      `Hello ${name},\n\nyour bank asks you to confirm a payment for ${workspace}. Open your invoices at the payment provider and confirm it there.\n`,
  },
  trial_ends: {
    give_up_h: 24,
    subject: (workspace) => `The trial of ${workspace} ends soon`,
    text: ({ name, workspace, about }) =>
      `Hello ${name},\n\nthe trial of the plan ${about.plan} for ${workspace} ends on ${about.ends_on}. Subscribe to go on as before. Nothing that you have entered is deleted: it waits until you do.\n`,
  },
} as const satisfies Record<string, LetterKind>;

export type LetterName = keyof typeof letters;

/** How to write a letter. */
export const letter = (name: string): LetterKind => letters[name as LetterName];

const HOUR_MS = 3_600_000;

/** The schedule that delivers letters. */
export const DELIVER_MAIL = 'platform.deliver-mail';

/** Queues a letter in the transaction of what it is about; it is on its way as soon as that has committed. */
export async function queueLetter(
  db: Db,
  name: LetterName,
  user_id: string,
  email: string,
  about: About = {},
): Promise<void> {
  const give_up_at = new Date(clock.now().getTime() + letters[name].give_up_h * HOUR_MS);
  await db.outgoingMail.create({ data: { letter: name, user_id, email, give_up_at, facts: { ...about } } });
  dueAtOnce(DELIVER_MAIL);
}
