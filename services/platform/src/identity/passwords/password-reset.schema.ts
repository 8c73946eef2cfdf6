import { z } from 'zod';

/** For operations that replace a password: a person who knew the old one may have created API keys. */
export const revoke_api_keys = z
  .boolean()
  .default(false)
  .describe('Whether to revoke the API keys of the account as well.');
