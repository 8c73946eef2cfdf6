/** Single-use links sent by e-mail. */
import { enterWorkspace } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { pageOf } from '@suite/mail-queue';
import { findOpenLink, type OpenLink } from '../workspaces-of-users/across-workspaces.ts';
import { tokenHash, randomToken } from '../../tokens/token.ts';
import type { Db } from '../../operations.ts';

export const LinkSpent = fault(422, 'link_spent', 'This link was already used or has expired. Request a new one.');

const MINUTE_MS = 60_000;

/** Lifetime of links, by purpose. */
const LIFETIME_MS = {
  accept_invitation: 7 * 24 * 60 * MINUTE_MS,
  reset_password: 30 * MINUTE_MS,
  verify_email: 24 * 60 * MINUTE_MS,
  // Longer than the approval period.
  verify_requested_email: 14 * 24 * 60 * MINUTE_MS,
  approve_email: 14 * 24 * 60 * MINUTE_MS,
} as const;

export type LinkPurpose = keyof typeof LIFETIME_MS;
/** Link purposes that an operation accepts. */
type AcceptedPurposes = LinkPurpose | LinkPurpose[];

/** Workspace page that uses a link, by the name of its setting. Other purposes use the page of the suite. */
const PAGES: Readonly<Partial<Record<LinkPurpose, string>>> = {
  accept_invitation: 'invitation',
  reset_password: 'password_reset',
  verify_email: 'email_verification',
};

/** Targets of links. */
interface LinkTargets {
  public_url: string;
  /** Pages set by the workspace. The suite's pages are the default. */
  links?: Readonly<Record<string, string>>;
}

/**
 * Creates a link for a user and the address it is sent to. Only its hash is stored. The token follows `#`, which
 * browsers do not send to servers, so it appears in no log.
 */
export async function makeLink(
  db: Db,
  { public_url, links = {} }: LinkTargets,
  purpose: LinkPurpose,
  user_id: string,
  email: string,
): Promise<string> {
  const token = randomToken();
  const expires_at = new Date(clock.now().getTime() + LIFETIME_MS[purpose]);
  await db.oneTimeLink.create({ data: { purpose, user_id, email, token_hash: tokenHash(token), expires_at } });
  const page = pageOf({ links }, PAGES[purpose] ?? '', { token });
  return page ?? `${public_url.replace(/\/$/, '')}/api/one-time-link#${purpose}=${token}`;
}

/** Returns the valid link of a token. @throws LinkSpent */
export async function findLink(db: Db, purpose: AcceptedPurposes, token: string): Promise<OpenLink> {
  const link = await findOpenLink(db, [purpose].flat(), tokenHash(token));
  if (!link) throw LinkSpent();
  return link;
}

/** Uses a link and enters its workspace as its user. @throws LinkSpent for every use after the first */
export async function useLink(db: Db, purpose: AcceptedPurposes, token: string): Promise<OpenLink> {
  const link = await findLink(db, purpose, token);
  await enterWorkspace(link.workspace_id, link.user_id);
  const { count } = await db.oneTimeLink.updateMany({
    where: { id: link.id, used_at: null },
    data: { used_at: clock.now() },
  });
  if (count === 0) throw LinkSpent();
  return link;
}
