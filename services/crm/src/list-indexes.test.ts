import { listIndexes, start } from '@suite/testing';
import { crm } from './crm.ts';

listIndexes({
  contents: crm,
  serving: await start(crm),
  small: ['users', 'pipelines', 'lead_stages', 'deal_stages', 'labels', 'sources', 'widgets'],
});
