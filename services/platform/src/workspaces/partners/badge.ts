/** Badges: public facts about a partner, as text and as an image. */
import { everyWorkspace, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { tokenHash } from '../../tokens/token.ts';
import type { Db } from '../../operations.ts';
import { badgeAddress } from './partner.ts';
import type { Badge } from './partner.schema.ts';

/** Partner and its issuer, in one row. */
type BadgeRow = Badge['partner'] & { issuer: string };

/**
 * Returns the badge with this token. A single statement looks it up by the hash of the token. Unknown and revoked
 * badges therefore get the same response in the same time.
 * @throws NotFound
 */
export async function readBadge(db: Db, token: string, public_url: string) {
  const [found] = await everyWorkspace(db, (all) =>
    all.rows<BadgeRow>(sql`
      SELECT partners.name, partners.tier, partners.since, partners.verified, partners.url, workspaces.name AS issuer
      FROM partners JOIN workspaces ON workspaces.id = partners.workspace_id
      WHERE partners.token_hash = ${tokenHash(token)} AND partners.status = 'active' AND workspaces.status = 'active'`),
  );
  if (!found) throw NotFound();
  const { issuer, ...partner } = found;
  return { partner, issuer, image_url: `${badgeAddress(public_url)}${token}?format=svg`, valid: true as const };
}

/** Colours dark enough for white text. */
const COLORS: Record<Badge['partner']['tier'], string> = {
  registered: '#4b5563',
  silver: '#64748b',
  gold: '#8a6100',
  platinum: '#3b4a6b',
};

/** Characters that XML cannot represent, so that an image with them is invalid. */
const NOT_IN_XML = /[\p{Cc}\uFFFE\uFFFF]/gu;
const toDrawableText = (text: string): string => text.replaceAll(NOT_IN_XML, ' ');

/** Draws a badge. Texts are escaped, and the image contains no scripts. */
export async function drawBadge({ partner, issuer }: Badge, style: 'flat' | 'for-the-badge' = 'flat'): Promise<string> {
  // Loaded with the first badge. The library contains the widths of all characters, and most processes never draw a
  // badge.
  const { makeBadge } = await import('badge-maker');
  return makeBadge({
    label: toDrawableText(issuer),
    message: `${toDrawableText(partner.name)}: ${partner.tier} partner${partner.verified ? ' ✓' : ''}`,
    color: COLORS[partner.tier],
    style,
  });
}
