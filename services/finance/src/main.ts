import { run } from '@suite/chassis';
import { finance } from './finance.ts';

await run(finance);
