import { run } from '@suite/chassis';
import { support } from './support.ts';

await run(support);
