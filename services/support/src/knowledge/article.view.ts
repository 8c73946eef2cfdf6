/** Views of articles, in lists and individually. Callers without `article.update` see published articles only. */
import { asCaller, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../operations.ts';
import { articleStates, isEditor, isId } from './article.rules.ts';
import { ArticleDetails } from './article.schema.ts';

const count = (name: 'views' | 'helpful' | 'not_helpful') =>
  sql`coalesce((SELECT article_counts.${COLUMNS[name]} FROM article_counts WHERE article_counts.article_id = articles.id), 0)`;
const COLUMNS = { views: sql`views`, helpful: sql`helpful`, not_helpful: sql`not_helpful` };

const counts = { views: count('views'), helpful: count('helpful'), not_helpful: count('not_helpful') };
const author = sql`SELECT json_build_object('id', users.id, 'name', users.name) FROM users WHERE users.id = articles.author_id`;

/** Selects articles with their counts, for lists that filter or sort by a count. */
const withCounts = sql`(
  SELECT articles.*, coalesce(counts.views, 0) AS views, coalesce(counts.helpful, 0) AS helpful,
    coalesce(counts.not_helpful, 0) AS not_helpful
  FROM articles
    LEFT JOIN article_counts AS counts ON counts.workspace_id = articles.workspace_id AND counts.article_id = articles.id)`;

const isCounted = ({ column }: { column: string }): boolean => column in COLUMNS;

/** Returns a page of the articles that the caller can see. */
export function listArticles(db: Db, request: ListRequest, caller: Caller) {
  const compute = { author, allowed_actions: articleStates.shownTo(caller, 'articles') };
  return paginate(db, request, {
    table: 'articles',
    ...([...request.filters, ...request.sort].some(isCounted)
      ? { from: withCounts, is_found_by_id: true, compute }
      : { compute: { ...counts, ...compute } }),
    ...(!isEditor(caller) && { where: sql`articles.status = 'published'` }),
  });
}

const revisions = sql`
  SELECT coalesce(json_agg(json_build_object('revision', former.revision, 'title', former.title, 'by', former.by, 'at', former.at)
    ORDER BY former.revision DESC), '[]') FROM article_revisions AS former WHERE former.article_id = articles.id`;

/** Returns an article with its text. @throws NotFound if the caller cannot see it */
export async function readArticle(db: Db, id: string, caller: Caller) {
  const article = await readOne(db, ArticleDetails, id, {
    table: 'articles',
    where: isEditor(caller) ? sql`TRUE` : sql`articles.status = 'published'`,
    compute: {
      ...counts,
      author,
      revisions,
      allowed_actions: articleStates.shownTo(caller, 'articles'),
    },
  });
  return isEditor(caller) ? article : { ...article, revisions: undefined };
}

/** Returns the article with an ID, or with a current or previous slug. @throws NotFound */
export async function idOfArticle(db: Db, id_or_slug: string): Promise<string> {
  if (isId(id_or_slug)) return id_or_slug;
  const [found] = await asCaller(() =>
    db.rows<{ article_id: string }>(sql`SELECT article_id FROM article_slugs WHERE slug = ${id_or_slug}`),
  );
  if (!found) throw NotFound();
  return found.article_id;
}
