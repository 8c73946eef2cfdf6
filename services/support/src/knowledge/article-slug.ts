/** Slugs of articles. A slug belongs to its article permanently, so that links remain valid. */
import { sql } from '@suite/chassis/database';
import { AlreadyExists } from '@suite/chassis/faults';
import { type Db, serializeOn } from '../operations.ts';
import { isId } from './article.rules.ts';

const SLUG_MAX = 80;

/** Truncates a slug and removes a hyphen at the end. */
const truncateSlug = (slug: string, length: number): string => slug.slice(0, length).replace(/-$/, '');

/** Derives a slug from a title: `Wie geht's?` becomes `wie-geht-s`. */
export function articleSlug(title: string): string {
  const normalized = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  const slug = truncateSlug(normalized.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, ''), SLUG_MAX) || 'article';
  return isId(slug) ? `article-${slug}` : slug;
}

/**
 * Returns the first free slug. Appends -2, -3 … if the slug is taken. A lock prevents concurrent use of the same slug.
 */
export async function freeSlug(db: Db, title: string): Promise<string> {
  await serializeOn(db, 'article slugs');
  const slug = articleSlug(title);
  const numbered = Array.from({ length: 4 }, (_, digits) => truncateSlug(slug, SLUG_MAX - 2 - digits));
  const rows = await db.rows<{ slug: string }>(sql`
    SELECT slug FROM article_slugs
    WHERE slug = ${slug} OR regexp_replace(slug, '-[0-9]{1,4}$', '') = ANY(${numbered}::text[])`);
  const taken = new Set(rows.map((row) => row.slug));
  for (let next = slug, number = 2; ; number += 1) {
    if (!taken.has(next)) return next;
    next = `${truncateSlug(slug, SLUG_MAX - 1 - String(number).length)}-${number}`;
  }
}

/** Assigns a slug to an article. @throws AlreadyExists if it belongs to another article */
export async function assignSlug(db: Db, slug: string, article_id: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO article_slugs (slug, article_id) VALUES (${slug}, ${article_id}::uuid) ON CONFLICT DO NOTHING`);
  const [holder] = await db.rows<{ article_id: string }>(
    sql`SELECT article_id FROM article_slugs WHERE slug = ${slug}`,
  );
  if (holder?.article_id !== article_id) throw AlreadyExists({ field: 'slug' });
}
