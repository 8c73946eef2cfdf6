/** Publication of posts. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { declareSchedule, jobTransaction, type JobContext } from '@suite/chassis/service';
import type { SocialPost } from '../../generated/client.ts';
import {
  CLAIM_S,
  deliverDue,
  type DueDelivery,
  inSeconds,
  RECHECK_S,
  nextAttemptAt,
} from '../../connections/integrations/delivery.ts';
import {
  type OpenIntegration,
  openIntegration,
  recordFailedDelivery,
  recordSuccess,
} from '../../connections/integrations/integration.ts';
import { toFailedAttempt } from '../../connections/integrations/server-rejection.ts';
import type { Db } from '../../operations.ts';
import { serverOf, type SocialSecrets } from '../social-server/social-connection.ts';
import type { SocialSettings } from '../social-server/social-server.schema.ts';
import { assertMediaReady, publish, type SocialServer, uploadMedia } from '../social-server/social-server.ts';
import { discardMedia, type PostMedia } from './social-post.ts';
import { postStates } from './social-post.rules.ts';

const NAME = 'platform.publish-posts';
const INTERVAL_MS = 5_000;

/** Post claimed for one attempt, with its social account. */
interface ClaimedPost {
  account: OpenIntegration<SocialSettings, SocialSecrets>;
  post: SocialPost;
  media: PostMedia[];
}

/** Claims a post for one attempt. A post waits while its server is paused or its account is disabled. */
async function claimPost(db: Db, { keys }: Pick<JobContext, 'keys'>, id: string): Promise<ClaimedPost | undefined> {
  const now = clock.now();
  const [post] = await db.rows<SocialPost>(sql`
    SELECT * FROM social_posts WHERE id = ${id}::uuid AND status = 'queued' AND next_attempt_at <= ${now}
    FOR NO KEY UPDATE SKIP LOCKED`);
  if (!post) return undefined;
  const account = await openIntegration<SocialSettings, SocialSecrets>(db, keys, 'socialpost');
  if (!account || (account.next_retry_at && account.next_retry_at > now)) {
    const next_attempt_at = account?.next_retry_at ?? inSeconds(RECHECK_S);
    await db.socialPost.updateMany({ where: { id }, data: { next_attempt_at } });
    return undefined;
  }
  const attempts = post.attempts + 1;
  const claimed_until = inSeconds(CLAIM_S);
  await db.socialPost.updateMany({ where: { id }, data: { attempts, claimed_until, next_attempt_at: claimed_until } });
  return { account, post: { ...post, attempts }, media: post.media as unknown as PostMedia[] };
}

/** Uploads the missing images to the server. Successful uploads are stored even if a later one fails. */
async function uploadAll({ storage }: JobContext<Db>, server: SocialServer, media: PostMedia[]): Promise<string[]> {
  for (const one of media) {
    if (one.remote_id) continue;
    const content = await storage.read(one.key);
    one.remote_id = await uploadMedia(server, { content, name: one.name, mime: one.mime, alt: one.alt });
  }
  const ids = media.map(({ remote_id }) => remote_id!);
  for (const id of ids) await assertMediaReady(server, id);
  return ids;
}

async function publishOnce(tools: JobContext<Db>, server: SocialServer, { post, media }: ClaimedPost) {
  const media_ids = await uploadAll(tools, server, media);
  const { id, text, visibility, language } = post;
  return await publish(server, id, {
    status: text,
    visibility,
    ...(language && { language }),
    ...(media_ids.length > 0 && { media_ids }),
  });
}

type PublishedPost = Awaited<ReturnType<typeof publish>>;

async function recordPublished(db: Db, { account, post, media }: ClaimedPost, { remote_id, url }: PublishedPost) {
  const publication = { server_url: account.settings.server_url, remote_id, url, published_at: clock.now() };
  const cleared = { claimed_until: null, failure_code: null, failure: null };
  const [before] = await db.rows<{ status: string }>(sql`
    SELECT status FROM social_posts WHERE id = ${post.id}::uuid FOR NO KEY UPDATE`);
  await postStates.move(db.socialPost, post.id, 'publish', { ...publication, ...cleared });
  // The images of a post that failed in the meantime, due to a disconnection, are already discarded.
  if (before?.status === 'queued') await discardMedia(db, media);
  await recordSuccess(db, account);
}

async function recordFailed(db: Db, { account, post, media }: ClaimedPost, error: unknown): Promise<void> {
  const attempt = toFailedAttempt(error);
  const { code: failure_code, message: failure } = attempt.failure;
  const failureColumns = { claimed_until: null, failure_code, failure };
  const next_attempt_at = nextAttemptAt(post.attempts, attempt);
  if (next_attempt_at) {
    const data = { ...failureColumns, next_attempt_at, media: media.map((one) => ({ ...one })) };
    await db.socialPost.updateMany({ where: { id: post.id, status: 'queued' }, data });
  } else if (await postStates.move(db.socialPost, post.id, 'fail', failureColumns)) await discardMedia(db, media);
  const ended = { id: post.id, status: 'failed', claimed_until: { not: null } };
  await db.socialPost.updateMany({ where: ended, data: { claimed_until: null } });
  await recordFailedDelivery(db, account, attempt.failure);
}

async function publishOne(tools: JobContext<Db>, { id, workspace_id }: DueDelivery): Promise<void> {
  const { database, outgoing } = tools;
  const context = jobTransaction(NAME, workspace_id);
  const claimed = await database.write(context, (db) => claimPost(db, tools, id));
  if (!claimed) return;
  const server = serverOf(claimed.account, outgoing, workspace_id);
  const recordResult = await publishOnce(tools, server, claimed).then(
    (published) => (db: Db) => recordPublished(db, claimed, published),
    (error: unknown) => (db: Db) => recordFailed(db, claimed, error),
  );
  await database.write(context, recordResult);
}

/** Publishes due posts. */
export const publishPosts = declareSchedule(NAME, INTERVAL_MS, (tools: JobContext<Db>) =>
  deliverDue(tools, { schedule: NAME, table: 'social_posts' }, (row) => publishOne(tools, row)),
);
