import { run } from '@suite/chassis/service';
import { crm } from './crm.ts';

await run(crm);
