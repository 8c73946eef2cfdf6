import { run } from '@suite/chassis/service';
import { platform } from './platform.ts';

await run(platform);
