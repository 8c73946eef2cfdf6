import { choice, record, ShortText, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { socialPostActions } from './social-post.rules.ts';

/** Post of the workspace. */
export const SocialPost = record({
  text: z.string(),
  visibility: choice('public', 'unlisted', 'private'),
  language: z.string().nullable(),
  media: z.array(z.object({ name: z.string(), mime: z.string(), alt: z.string() })),
  scheduled_at: Timestamp.nullable(),
  status: choice('queued', 'published', 'failed'),
  attempts: z.int(),
  url: z.string().nullable().describe('URL of the post on the server.'),
  published_at: Timestamp.nullable(),
  failure_code: z.string().nullable(),
  failure: z.string().nullable().describe('Reason why the post was not published.'),
  allowed_actions: Actions(socialPostActions),
}).meta({ id: 'SocialPost' });

export const PostFilter = list(SocialPost, {
  filter: ['status', 'visibility', 'scheduled_at', 'published_at', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at'],
  search: { texts: ['text'] },
});

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const Language = z
  .string()
  .regex(/^[a-z]{2,3}$/, { error: 'Enter a language code such as de.', abort: true })
  .refine((code) => languages.of(code) !== undefined, 'Language not found.');

/** Converts a single form field to a list with one entry. */
const oneOrMany = (value: unknown) => (typeof value === 'string' ? [value] : value);

export const PostInput = z.strictObject({
  text: z.string().trim().min(1).max(10_000),
  visibility: choice('public', 'unlisted', 'private').default('public'),
  language: Language.optional(),
  alt_texts: z
    .preprocess(oneOrMany, z.array(ShortText(1_500).min(1)).max(4))
    .default([])
    .describe('Alternative text of each image, in the order of the images. Repeat the field.'),
  scheduled_at: Timestamp.optional().describe('Time of publication. Defaults to now.'),
});
export type PostInput = z.output<typeof PostInput>;

/** Image upload of a post. */
export const images = { field: 'media', kinds: 'images', many: true, optional: true } as const;
