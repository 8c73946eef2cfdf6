/** Rule for who can change the pages that receive tokens. */
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { type EmailLinks, TOKEN_LINKS } from './email-link.schema.ts';

export const OwnerRequiredForLinks = fault(
  403,
  'owner_links',
  'Only an owner can change links that contain a token. Ask an owner of the workspace.',
);

/**
 * Checks that only owners change links with tokens: the server behind such a link can choose its readers' passwords.
 * @throws OwnerRequiredForLinks
 */
export async function assertLinks(db: Db, { kind, workspace_id }: Caller, links: EmailLinks): Promise<void> {
  if (kind === 'owner') return;
  const before = await db.workspace.findFirst({ where: { id: workspace_id }, select: { links: true } });
  const known = (before?.links ?? {}) as EmailLinks;
  const changed = TOKEN_LINKS.filter((name) => known[name] !== links[name]);
  if (changed.length > 0) throw OwnerRequiredForLinks({ links: changed });
}
