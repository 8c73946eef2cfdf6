/** Views of an article, and votes on its helpfulness. Counted separately, without a new version of the article. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { today } from '@suite/chassis/runtime';
import { isAgent } from '../tickets/ticket-states/ticket-side.rules.ts';
import type { CommandContext } from '../operations.ts';
import { articleStates, isEditor } from './article.rules.ts';
import { idOfArticle, readArticle } from './article.view.ts';

/** Returns an article, and counts a view of a published one once a day per reader. @throws NotFound */
export async function viewArticle({ db, caller }: CommandContext, id_or_slug: string) {
  const article = await readArticle(db, await idOfArticle(db, id_or_slug), caller);
  if (article.status !== 'published' || (isAgent(caller) && caller.permissions.includes('ticket.view'))) return article;
  const { id } = article;
  const counted = await db.rows(sql`
    INSERT INTO article_views AS seen (article_id, user_id, day)
    VALUES (${id}::uuid, ${caller.user_id}::uuid, ${today(caller.timezone)}::date)
    ON CONFLICT (workspace_id, article_id, user_id) DO UPDATE SET day = EXCLUDED.day WHERE seen.day < EXCLUDED.day
    RETURNING article_id`);
  if (counted.length === 0) return article;
  await db.rows(sql`UPDATE article_counts SET views = views + 1 WHERE article_id = ${id}::uuid`);
  return { ...article, views: article.views + 1 };
}

/** Records a user's vote on an article. Users may change their vote. @throws NotFound, InvalidTransition */
export async function voteOnArticle({ db, caller }: CommandContext, id: string, helpful: boolean) {
  const [article] = await db.rows<{ status: string }>(sql`
    SELECT status FROM articles WHERE id = ${id}::uuid FOR SHARE`);
  if (!article || (article.status !== 'published' && !isEditor(caller))) throw NotFound();
  articleStates.assertFits('vote', article, caller);
  await db.rows(sql`SELECT FROM article_counts WHERE article_id = ${id}::uuid FOR UPDATE`);
  const vote = { article_id: id, user_id: caller.user_id };
  const before = await db.articleVote.findFirst({ where: vote });
  if (before?.helpful === helpful) return await readArticle(db, id, caller);
  await db.rows(sql`
    INSERT INTO article_votes (article_id, user_id, helpful) VALUES (${id}::uuid, ${caller.user_id}::uuid, ${helpful})
    ON CONFLICT (workspace_id, article_id, user_id) DO UPDATE SET helpful = EXCLUDED.helpful`);
  const [added, removed] = [1, before ? -1 : 0];
  await db.rows(sql`
    UPDATE article_counts SET helpful = helpful + ${helpful ? added : removed}::int,
      not_helpful = not_helpful + ${helpful ? removed : added}::int WHERE article_id = ${id}::uuid`);
  return await readArticle(db, id, caller);
}
