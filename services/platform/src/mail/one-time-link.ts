/** Links that are sent by e-mail and work once. */
import { clock, enterWorkspace, fault } from '@suite/chassis';
import { pageOf } from '@suite/mail-queue';
import { openLink, type OpenLink } from '../identity/across-workspaces.ts';
import { hashOf, randomToken } from '../identity/token.ts';
import type { Db } from '../operations.ts';

export const LinkSpent = fault(422, 'link_spent', 'This link was already used or has expired. Request a new one.');

const MINUTE_MS = 60_000;

/** The purposes of links, and how long each link works. */
const LIFE_MS = {
  accept_invitation: 7 * 24 * 60 * MINUTE_MS,
  reset_password: 30 * MINUTE_MS,
  verify_email: 24 * 60 * MINUTE_MS,
  // Longer than the wait for an approval.
  verify_requested_email: 14 * 24 * 60 * MINUTE_MS,
  approve_email: 14 * 24 * 60 * MINUTE_MS,
} as const;

export type LinkPurpose = keyof typeof LIFE_MS;
/** The purposes that one operation takes links of. */
type Purposes = LinkPurpose | LinkPurpose[];

/** The page of the workspace that uses a link, by the name of its setting; our own page for other purposes. */
const PAGES: Readonly<Partial<Record<LinkPurpose, string>>> = {
  accept_invitation: 'invitation',
  reset_password: 'password_reset',
  verify_email: 'email_verification',
};

/** Where links lead to. */
interface LinkPlace {
  public_url: string;
  /** The pages that the workspace has chosen; ours for others. */
  links?: Readonly<Record<string, string>>;
}

/**
 * Makes a link for a user and the address it is sent to. Only its hash is stored.
 * The token stands behind `#`, which browsers keep to themselves: it ends up in no log.
 */
export async function makeLink(
  db: Db,
  { public_url, links = {} }: LinkPlace,
  purpose: LinkPurpose,
  user_id: string,
  email: string,
): Promise<string> {
  const token = randomToken();
  const expires_at = new Date(clock.now().getTime() + LIFE_MS[purpose]);
  await db.oneTimeLink.create({ data: { purpose, user_id, email, token_hash: hashOf(token), expires_at } });
  const page = pageOf({ links }, PAGES[purpose] ?? '', { token });
  return page ?? `${public_url.replace(/\/$/, '')}/api/one-time-link#${purpose}=${token}`;
}

/** The link of a token, if it still works. @throws LinkSpent */
export async function findLink(db: Db, purpose: Purposes, token: string): Promise<OpenLink> {
  const link = await openLink(db, [purpose].flat(), hashOf(token));
  if (!link) throw LinkSpent();
  return link;
}

/** Uses a link up and enters its workspace as its user. @throws LinkSpent for all but the first who try */
export async function useLink(db: Db, purpose: Purposes, token: string): Promise<OpenLink> {
  const link = await findLink(db, purpose, token);
  await enterWorkspace(link.workspace_id, link.user_id);
  const { count } = await db.oneTimeLink.updateMany({
    where: { id: link.id, used_at: null },
    data: { used_at: clock.now() },
  });
  if (count === 0) throw LinkSpent();
  return link;
}
