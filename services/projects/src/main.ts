import { run } from '@suite/chassis/service';
import { projects } from './projects.ts';

await run(projects);
