import { listIndexes, start } from '@suite/testing';
import { finance } from './finance.ts';

listIndexes({
  contents: finance,
  serving: await start(finance),
  divided: { payments: 'kind', notes: 'kind' },
});
