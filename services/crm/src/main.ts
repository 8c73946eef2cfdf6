import { run } from '@suite/chassis';
import { crm } from './crm.ts';

await run(crm);
