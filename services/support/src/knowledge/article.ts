/** Creates, publishes, archives, restores and deletes articles. */
import { assertVersion, find, remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { ArticlePublished } from '@suite/proto/support/v1/events';
import { userOf, upsertUserCopies } from '@suite/user-copies';
import { markdownToHtml } from '../content/markdown/bounded-markdown.ts';
import type { CommandContext, Db } from '../operations.ts';
import { articleStates, STATUS_ACTIONS } from './article.rules.ts';
import type { ArticleChanges, ArticleInput } from './article.schema.ts';
import { freeSlug, assignSlug } from './article-slug.ts';
import { readArticle } from './article.view.ts';

const EXCERPT_MAX = 200;

/** Columns derived from a Markdown text. */
interface RenderedText {
  body_html: string;
  excerpt: string;
}

/** Returns the HTML and the excerpt of a text in Markdown. @throws MarkdownTooComplex */
export async function renderText(workspace_id: string, body: string): Promise<RenderedText> {
  const { html, excerpt } = await markdownToHtml(workspace_id, body, EXCERPT_MAX);
  return { body_html: html, excerpt };
}

/**
 * Locks an article until the end of the transaction, and returns its current state.
 * @throws NotFound, Forbidden for the article of another author beyond the caller's record scope
 */
async function lockArticle({ db, caller }: Pick<CommandContext, 'db' | 'caller'>, id: string) {
  await db.rows(sql`SELECT FROM articles WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  const article = await find(db.article, id);
  articleStates.assertInScope(article, caller);
  return article;
}
type ArticleRow = Awaited<ReturnType<typeof lockArticle>>;

/** Creates an article with a unique slug. @throws AlreadyExists if the requested slug is taken */
export async function createArticle({ db, caller, emit }: CommandContext, input: ArticleInput, rendered: RenderedText) {
  await upsertUserCopies(db, [userOf(caller)]);
  const slug = input.slug ?? (await freeSlug(db, input.title));
  const { user_id } = caller;
  const published_at = input.status === 'published' ? clock.now() : null;
  const { id } = await db.article.create({
    data: { ...input, ...rendered, slug, published_at, author_id: user_id, revised_by: user_id },
  });
  await assignSlug(db, slug, id);
  await db.articleCounts.create({ data: { article_id: id } });
  if (published_at) emit(ArticlePublished, { article_id: id, status: 'published' });
  return await readArticle(db, id, caller);
}

/** Returns the columns of a new revision, and stores the previous one. @returns undefined if the text is unchanged */
async function storeRevision(
  db: Db,
  before: ArticleRow,
  { title = before.title, body = before.body }: Partial<ArticleRow>,
  caller: Caller,
) {
  if (title === before.title && body === before.body) return {};
  const { id: article_id, revision, revised_by: by, revised_at: at } = before;
  await db.articleRevision.create({
    data: { article_id, revision, title: before.title, body: before.body, by, at },
  });
  return { title, body, revision: revision + 1, revised_by: caller.user_id, revised_at: clock.now() };
}

/** Moves an article to another status. A publication is announced as an event. @throws InvalidTransition */
async function changeStatus(
  { db, caller, emit }: CommandContext,
  row: ArticleRow,
  status: ArticleChanges['status'],
): Promise<void> {
  if (!status) return;
  const verb = STATUS_ACTIONS[status];
  const first = verb === 'publish' && { published_at: row.published_at ?? clock.now() };
  const moved = row.status !== status && (await articleStates.move(db.article, row.id, verb, first || {}, caller));
  if (moved && verb === 'publish') emit(ArticlePublished, { article_id: row.id, status: 'published' });
}

/**
 * Updates an article. A new title or body creates a revision.
 * @param rendered HTML and excerpt of the new body
 * @throws Stale, InvalidTransition, AlreadyExists
 */
export async function changeArticle(
  context: CommandContext,
  id: string,
  { version: _, status, title, body, ...patch }: ArticleChanges,
  { rendered, expect }: { rendered: RenderedText | undefined; expect: number | undefined },
) {
  const { db, caller } = context;
  const before = await lockArticle({ db, caller }, id);
  assertVersion(before, expect);
  const revised = await storeRevision(db, before, { ...(title && { title }), ...(body && { body }) }, caller);
  const changes = { ...patch, ...revised, ...rendered };
  if (Object.keys(changes).length > 0) await db.article.updateMany({ where: { id }, data: changes });
  if (patch.slug) await assignSlug(db, patch.slug, id);
  await changeStatus(context, before, status);
  return await readArticle(db, id, caller);
}

/** Returns the text of a revision. @throws a 422 fault if the revision does not exist */
export async function readRevision(
  db: Db,
  article_id: string,
  revision: number,
): Promise<{ title: string; body: string }> {
  const article = await find(db.article, article_id);
  if (article.revision === revision) return article;
  const former = await db.articleRevision.findFirst({ where: { article_id, revision } });
  if (!former) throw invalid('revision', 'Revision not found.');
  return former;
}

/** Restores the text of a previous revision, as a new revision. */
export async function restoreArticle(
  { db, caller }: CommandContext,
  id: string,
  { title, body, ...rendered }: { title: string; body: string } & RenderedText,
) {
  const before = await lockArticle({ db, caller }, id);
  const revised = await storeRevision(db, before, { title, body }, caller);
  if ('revision' in revised) await db.article.updateMany({ where: { id }, data: { ...revised, ...rendered } });
  return await readArticle(db, id, caller);
}

/** Deletes an unpublished article with its revisions. @throws InvalidTransition */
export async function removeArticle({ db, caller }: CommandContext, id: string): Promise<{ id: string }> {
  const row = await lockArticle({ db, caller }, id);
  articleStates.assertFits('delete', row, caller);
  return await remove(db.article, id);
}
