import { run } from '@suite/chassis';
import { platform } from './platform.ts';

await run(platform);
