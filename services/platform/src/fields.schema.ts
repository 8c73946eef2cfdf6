import { z } from 'zod';

/** For operations that replace a password: somebody who knew the old one may have made API keys. */
export const revoke_api_keys = z
  .boolean()
  .default(false)
  .describe('Whether the API keys of the account are revoked, too.');
