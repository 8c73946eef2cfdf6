import { run } from '@suite/chassis/service';
import { hr } from './hr.ts';

await run(hr);
