import { run } from '@suite/chassis';
import { hr } from './hr.ts';

await run(hr);
