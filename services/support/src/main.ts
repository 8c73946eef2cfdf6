import { run } from '@suite/chassis/service';
import { support } from './support.ts';

await run(support);
