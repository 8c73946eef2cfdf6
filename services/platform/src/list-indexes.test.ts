import { listIndexes, start } from '@suite/testing';
import { platform } from './platform.ts';

listIndexes({
  contents: platform,
  serving: await start(platform),
  small: ['roles', 'teams', 'api_keys', 'sessions', 'partners', 'social_posts'],
});
