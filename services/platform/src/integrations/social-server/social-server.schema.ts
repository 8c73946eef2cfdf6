import { z } from 'zod';

/** Connection to a social server. The token shows its last four characters. */
export const SocialSettings = z
  .object({
    server_url: z.string(),
    account: z.string(),
    account_url: z.string().nullable(),
    access_token: z.string(),
    max_characters: z.int(),
    characters_per_url: z.int().describe('Number of characters that each URL counts as, regardless of its length.'),
    max_media: z.int(),
  })
  .meta({ id: 'SocialSettings' });
export type SocialSettings = z.output<typeof SocialSettings>;
