/** Rows of posts: queued within the limits of the server, and deleted together with the published post. */
import { find, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Storage, StoredFile } from '@suite/chassis/files';
import type { Keys } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { redrawImage, fitInside } from '@suite/images';
import { openConnected } from '../../connections/integrations/integration.ts';
import type { Db } from '../../operations.ts';
import { discardImages } from '../../identity/accounts/picture.ts';
import type { SocialSecrets } from '../social-server/social-connection.ts';
import type { SocialSettings } from '../social-server/social-server.schema.ts';
import { PublicationInProgress, postLength, postStates } from './social-post.rules.ts';
import type { PostInput } from './social-post.schema.ts';

/** Stored image of a post. */
export interface PostMedia {
  key: string;
  name: string;
  mime: string;
  alt: string;
  /** ID on the server, after the upload. */
  remote_id?: string;
}

/** Maximum size, large enough for any screen. */
const IMAGE = fitInside('picture.webp', 2_048);
const SCHEDULE_MS = 366 * 86_400_000;

/**
 * Redraws the images of a post, so that only their visible content is published.
 * @param files the uploaded files. The new files replace them, and are deleted if the command fails
 */
export async function resizeImages(
  files: StoredFile[],
  { alt_texts }: PostInput,
  context: { storage: Storage; workspace_id: string },
): Promise<PostMedia[]> {
  if (files.length > 4) throw invalid('media', 'Add at most four images.');
  if (alt_texts.length !== files.length)
    throw invalid('alt_texts', 'Enter a description of each image, in the order of the images.');
  const media: PostMedia[] = [];
  for (const [at, file] of [...files].entries()) {
    const one = [file];
    const [key = ''] = await redrawImage('media', one, context, [IMAGE]);
    files.splice(at, 1, ...one);
    media.push({ key, name: file.name.replace(/\.\w+$/, '.webp'), mime: IMAGE.mime, alt: alt_texts[at]! });
  }
  return media;
}

/** Rejects posts beyond the limits of the server, and a past or too distant time. */
function assertAccepted(
  { text, scheduled_at }: PostInput,
  media: readonly PostMedia[],
  settings: SocialSettings,
): void {
  const { max_characters, characters_per_url, max_media } = settings;
  if (postLength(text, characters_per_url) > max_characters)
    throw invalid('text', `The server accepts at most ${max_characters} characters.`);
  if (media.length > max_media) throw invalid('media', `The server accepts at most ${max_media} images.`);
  if (!scheduled_at) return;
  const ahead_ms = Date.parse(scheduled_at) - clock.now().getTime();
  if (ahead_ms <= 0) throw invalid('scheduled_at', 'Enter a time in the future.');
  if (ahead_ms > SCHEDULE_MS) throw invalid('scheduled_at', 'Enter a time within one year.');
}

/** Queues a post, which a schedule publishes. @throws NotConnected @returns its ID */
export async function queuePost(db: Db, keys: Keys, input: PostInput, media: PostMedia[]): Promise<string> {
  const { settings } = await openConnected<SocialSettings, SocialSecrets>(db, keys, 'socialpost');
  assertAccepted(input, media, settings);
  const { alt_texts: _, scheduled_at, ...post } = input;
  const moment = scheduled_at ? new Date(scheduled_at) : null;
  const next_attempt_at = moment ?? clock.now();
  const data = { ...post, scheduled_at: moment, next_attempt_at, media: media.map((one) => ({ ...one })) };
  return (await db.socialPost.create({ data })).id;
}

/** Discards the files of a post that was published or can no longer be published. */
export const discardMedia = (db: Db, media: unknown): Promise<void> =>
  discardImages(
    db,
    (media as PostMedia[]).map(({ key }) => key),
  );

/** Fails the waiting posts after the disconnection of their account. */
export async function failQueuedPosts(db: Db): Promise<void> {
  const { set, guard } = postStates.moving('fail');
  const failed = await db.rows<{ media: unknown }>(sql`
    UPDATE social_posts SET ${set}, failure_code = 'disconnected', failure = 'The account was disconnected.'
    WHERE ${guard} RETURNING media`);
  for (const { media } of failed) await discardMedia(db, media);
}

/**
 * Deletes a post whose published copy was already deleted at the server.
 * @param before its state when the server was asked
 * @throws PublicationInProgress while an attempt is under way, and when it was published in the meantime
 */
export async function removePost(db: Db, id: string, before: string): Promise<{ id: string }> {
  await db.rows(sql`SELECT FROM social_posts WHERE id = ${id}::uuid FOR UPDATE`);
  const { status, claimed_until, media } = await find(db.socialPost, id);
  if (status !== before || (claimed_until && claimed_until > clock.now())) throw PublicationInProgress();
  if (status === 'queued') await discardMedia(db, media);
  await db.socialPost.deleteMany({ where: { id } });
  return { id };
}
