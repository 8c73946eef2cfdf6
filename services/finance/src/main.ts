import { run } from '@suite/chassis/service';
import { finance } from './finance.ts';

await run(finance);
